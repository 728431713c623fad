import { insertRows } from '../../../database/client/write.ts'
import type { Payout, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { byHand } from '../../payout-methods/manual.ts'
import { recordFacts } from '../payments/facts.ts'
import { splitOf } from '../withholding.ts'
import { newRun } from './record.ts'

/**
 * Records payouts that are paid by hand at once, less what is withheld: a run for each currency. Its history is that of
 * its payouts.
 * @throws REFUSED if a run is above the sum that needs a second person
 */
export async function recordPaidByHand(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  payouts: readonly (Payout & { effectiveBasisPoints: number })[],
  reference: string | null,
  now: Date,
): Promise<void> {
  const limit = ctx.program.payoutApprovalAboveCents
  for (const currency of new Set(payouts.map((payout) => payout.currency))) {
    const paid = payouts
      .filter((payout) => payout.currency === currency)
      .map((payout) => ({ ...payout, ...splitOf(payout.amountCents, payout.effectiveBasisPoints) }))
    const amountCents = paid.reduce((sum, payout) => sum + payout.amountCents, 0n)
    if (limit !== null && amountCents > limit)
      throw refused('This is above the sum from which a second person has to approve. Make a run with createPayoutRun.')
    const empty = newRun(ctx, { method: byHand, currency, asOf: now }, now)
    const run = { ...empty, state: 'paid' as const, payoutCount: paid.length, amountCents, reference, paidAt: now }
    await insertRows(tx, 'payout_runs', [run])
    const items = paid.map(({ programId, id: payoutId, affiliateId, amountCents: cents, withheldCents }) => ({
      programId,
      id: mintId(now),
      runId: run.id,
      payoutId,
      affiliateId,
      currency,
      amountCents: cents,
      withheldCents,
      state: 'paid' as const,
      recipient: null,
      isNewRecipient: false,
      isByDefault: false,
      reference,
      reason: null,
      createdAt: now,
      updatedAt: now,
      goneCents: cents,
      isExtra: false,
      isUnknown: false,
    }))
    await insertRows(tx, 'payout_run_items', items)
    await recordFacts(
      tx,
      ctx,
      items.map(({ id: itemId }) => ({ itemId, kind: 'paid' as const, reference })),
      now,
    )
  }
}
