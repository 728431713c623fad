import { withTransaction } from '../../database/client/transaction.ts'
import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { type Fact, recordMoneyEvents } from '../history/money-events.ts'
import { sentOf, sentRefusal } from '../payouts/sent-payouts.ts'
import { lockAffiliates, settleOpenPayouts } from '../payouts/settle.ts'
import { heldReasonsOf } from '../referrals/held-reasons.ts'
import { countedRefusal, withDebts } from './after-payment.ts'
import { isCredit } from './earned.ts'
import { type Amendment, amendCommissionInput } from './input.ts'
import { findCommission } from './service.ts'
import { correctChangedCommissions } from './tier-corrections.ts'

type Change = Pick<
  Prisma.CommissionUncheckedUpdateManyInput,
  'amountCents' | 'dueAt' | 'paidAt' | 'payoutId' | 'dueNotedAt'
>

/**
 * Changes amount or due date of a commission that is neither paid nor void, marks it as paid outside of any payout, or
 * reverses that, and recalculates the open payout, in one transaction. Idempotent.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if the commission is void, paid, held, or a debt that a refund created
 */
export async function amendCommission(ctx: ProgramCtx, namedId: string, raw: unknown): Promise<void> {
  const { id, affiliateId } = await findCommission(ctx, namedId)
  const amendment = await parseInput(amendCommissionInput, raw)
  if (Object.keys(amendment).length === 0) return
  await withTransaction(ctx.db, async (tx) => {
    const programId = ctx.program.id
    await lockAffiliates(tx, programId, [affiliateId])
    const before = await tx.commission.findUniqueOrThrow({ where: { programId_id: { programId, id } } })
    await rejectForbidden(tx, before, amendment)
    const facts = factsOf(before, amendment)
    if (facts.length === 0) return
    const now = ctx.now()
    const { count } = await tx.commission.updateMany({
      where: { programId, id, paidAt: before.paidAt, voidedAt: before.voidedAt },
      data: { ...changeOf(amendment, facts), updatedAt: now },
    })
    if (count !== 1) throw new Error(`The commission ${id} changed under its affiliate's lock.`)
    await recordMoneyEvents(tx, ctx, facts, now)
    const isPaid = facts.some(({ kind }) => kind === 'paid')
    await recordEvents(
      tx,
      ctx,
      eventsOf(id, ['commission.updated', ...(isPaid ? (['commission.paid'] as const) : [])]),
      now,
    )
    if (amendment.amountCents !== undefined) await correctChangedCommissions(ctx, tx, [before], now)
    await settleOpenPayouts(tx, ctx, [affiliateId], now)
  })
}

/** It leaves its open payout; recalculating adds it again. With a new due date, it becomes due again. */
const changeOf = (amendment: Amendment, facts: readonly Fact[]): Change => ({
  ...amendment,
  payoutId: null,
  ...(facts.some(({ kind }) => kind === 'rescheduled') && { dueNotedAt: null }),
})

const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()

/** The facts that the amendment adds, in the order in which they are recorded. */
function factsOf(commission: Commission, { amountCents, dueAt, paidAt }: Amendment): Fact[] {
  const facts: Fact[] = []
  if (paidAt === null && commission.paidAt) facts.push({ commission, kind: 'unpaid', deltaCents: 0n })
  if (amountCents !== undefined && amountCents !== commission.amountCents)
    facts.push({ commission, kind: 'amended', deltaCents: amountCents - commission.amountCents })
  if (dueAt && !isSame(dueAt, commission.dueAt)) facts.push({ commission, kind: 'rescheduled', deltaCents: 0n, dueAt })
  if (paidAt && !commission.paidAt) facts.push({ commission, kind: 'paid', deltaCents: 0n, paidAt })
  return facts
}

/** @throws REFUSED if the state of the commission does not allow the amendment */
async function rejectForbidden(
  tx: Prisma.TransactionClient,
  commission: Commission,
  amendment: Amendment,
): Promise<void> {
  const { amountCents, dueAt, paidAt } = amendment
  const hasValue = amountCents !== undefined || dueAt !== undefined || Boolean(paidAt)
  if (hasValue && commission.refundId)
    throw refused(
      isCredit(commission)
        ? "A commission that gives back what a refund had deducted can't be changed."
        : "A debt that a refund created can't be changed. Void it to cancel the debt.",
    )
  if (amountCents !== undefined && commission.kind === 'correction')
    throw refused("The amount of a correction can't be changed. Void it, and create one with the right amount.")
  if (hasValue && commission.voidedAt) throw refused("A void commission can't be changed.")
  if (hasValue && (await sentOf(tx, [commission])).length > 0) throw refused(sentRefusal)
  const isOtherAmount = amountCents !== undefined && amountCents !== commission.amountCents
  if (isOtherAmount && !commission.paidAt && (await withDebts(tx, [commission])).length > 0)
    throw refused(countedRefusal)
  if (paidAt && heldReasonsOf(commission).includes('dispute'))
    throw refused(
      "The customer disputes the payment, so the commission can't be marked as paid until the dispute ends.",
    )
  if (paidAt && commission.heldReason) throw refused("A held commission can't be marked as paid. Approve it first.")
  if (!commission.paidAt) return
  if (paidAt === null) return rejectIrreversible(tx, commission)
  const isOtherPayment = paidAt !== undefined && !isSame(paidAt, commission.paidAt)
  if (isOtherPayment || factsOf(commission, amendment).length > 0) throw refused("A paid commission can't be changed.")
}

/**
 * A payment can be reversed only if nothing depends on it: no payout, no debt of a later refund, and no full refund of
 * the sale (which would have voided an unpaid commission).
 * @throws REFUSED
 */
async function rejectIrreversible(tx: Prisma.TransactionClient, commission: Commission): Promise<void> {
  const { programId, saleId, payoutId } = commission
  if (payoutId) throw refused("A commission that was paid in a payout can't be changed.")
  if (saleId === null) return
  const sale = await tx.sale.findUniqueOrThrow({
    where: { programId_id: { programId, id: saleId } },
    include: { commissions: { where: { refundId: { not: null } } } },
  })
  const isRefundedInFull = sale.refundedCents > 0n && sale.refundedCents === sale.amountCents
  if (isRefundedInFull || sale.commissions.length > 0)
    throw refused("The sale was refunded after its commission was paid, so the payment can't be reversed.")
}
