import type { Payout, PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { Actor, ProgramCtx } from '../../../kernel/context.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import { addresses } from '../../payout-methods/addresses.ts'
import { goneFor } from '../withholding.ts'
import { applyFacts } from './apply-facts.ts'
import { lockRun, openRunsOf } from './find.ts'
import { isPreparedBy, refuseUnapproved } from './record.ts'
import { noteResults } from './results.ts'
import { closeRun, lockItems } from './steps.ts'

/** Locks the open runs of payouts, by their ids. Affiliates are locked after it. */
export async function lockOpenRuns(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  payoutIds: readonly string[],
): Promise<ReadonlyMap<string, PayoutRun>> {
  const ids = new Set((await openRunsOf(tx, ctx.program.id, payoutIds)).values())
  const runs = new Map<string, PayoutRun>()
  for (const id of [...ids].sort()) runs.set(id, await lockRun(tx, ctx, id))
  return runs
}

/**
 * Whether a payment by hand of a payout is the result of the run's payment: somebody has the file, and the caller says
 * how it is paid. Of a file that pays the addresses of affiliates, only the API key that made the run can say so. What
 * is sent by the API of a service, the service says, or a person who names the run.
 */
export const takesByHand = (run: PayoutRun, actor: Actor): boolean =>
  run.fetchedAt !== null &&
  run.handedOverAt === null &&
  (addresses[run.method] === null || (actor.kind === 'api_key' && isPreparedBy(run, actor)))

/**
 * Records that open payouts of runs are paid, at the amounts of the payouts, as results of the runs' payments. The
 * caller holds the locks of the runs and of the affiliates.
 * @throws REFUSED if they are above the sum that needs a second person, and their run is not approved
 */
export async function recordPaidInRuns(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  payouts: readonly (Payout & { run: PayoutRun })[],
  reference: string | null,
  now: Date,
): Promise<void> {
  const limit = ctx.program.payoutApprovalAboveCents
  for (const ofRun of groupBy(payouts, ({ run }) => run.id).values()) {
    const [{ run }] = ofRun as [Payout & { run: PayoutRun }]
    const sum = ofRun.reduce((cents, { amountCents }) => cents + amountCents, 0n)
    if (limit !== null && sum > limit) refuseUnapproved(run)
    const ids = ofRun.map(({ id }) => id)
    const where = { programId: run.programId, runId: run.id, payoutId: { in: ids } }
    const found = await tx.payoutRunItem.findMany({ where, select: { id: true, affiliateId: true } })
    const facts = (await lockItems(tx, ctx, found)).map((payment) => {
      // What was refunded before the file was fetched is not paid: the caller pays the displayed amount.
      const { amountCents: settled = null } = payment.payout ?? {}
      const isAsked = settled === null || settled === payment.amountCents + payment.withheldCents
      const amountCents = isAsked ? null : goneFor(payment, settled)
      return { payment, said: [{ kind: 'paid' as const, amountCents, reference }] }
    })
    await noteResults(tx, ctx, run.id, await applyFacts(tx, ctx, run, facts, now), now)
    await closeRun(tx, ctx, run, {}, now)
  }
}
