import { insertRows } from '../../database/client/write.ts'
import type { Commission, MoneyEvent, Prisma } from '../../generated/prisma/client.ts'
import type { MoneyEventKind } from '../../generated/prisma/enums.ts'
import type { Ctx } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { inSlices } from '../../kernel/slices.ts'
import { storedActor } from './actor.ts'

export type Fact = {
  commission: Pick<Commission, 'programId' | 'id' | 'currency'>
  kind: MoneyEventKind
  /** The change of the commission's amount, in minor units. The amount is always the sum of these. */
  deltaCents: bigint
  reason?: string
  /**
   * The tax that a payment withheld. Of the payment's facts, only that of its first commission has it. Negative if the
   * payment came back, and its tax with it.
   */
  withheldCents?: bigint
  /** The new due date. Only for `rescheduled`. */
  dueAt?: Date
  /** The reported time of payment. Only for a commission that was marked as paid outside a payout. */
  paidAt?: Date
  /** The refund that caused it, or whose reversal did. */
  refundId?: string
}

export const moneyEvents = (
  { actor, requestId }: Pick<Ctx, 'actor' | 'requestId'>,
  facts: readonly Fact[],
  at: Date,
): MoneyEvent[] =>
  facts.map(({ commission, kind, deltaCents, withheldCents, reason, dueAt, paidAt, refundId }) => ({
    programId: commission.programId,
    id: mintId(at),
    commissionId: commission.id,
    kind,
    deltaCents,
    withheldCents: withheldCents || null,
    currency: commission.currency,
    dueAt: dueAt ?? null,
    paidAt: paidAt ?? null,
    refundId: refundId ?? null,
    requestId,
    reason: reason ?? null,
    at,
    ...storedActor(actor),
  }))

export async function recordMoneyEvents(
  tx: Prisma.TransactionClient,
  ctx: Pick<Ctx, 'actor' | 'requestId'>,
  facts: Fact[],
  at: Date,
): Promise<void> {
  await inSlices(moneyEvents(ctx, facts, at), async (slice) => {
    await insertRows(tx, 'money_events', slice)
    return []
  })
}
