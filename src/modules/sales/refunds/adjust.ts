import { type Commission, Prisma, type Refund } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { mintId } from '../../../kernel/ids.ts'
import { commissionWithout, earnedUntilNow, refundEffect } from '../../../kernel/money/refund-effect.ts'
import { earningRule } from '../../commissions/calculate.ts'
import { earnedCommission } from '../../commissions/earned.ts'
import { eventsOf, type NewEvent } from '../../events/record.ts'
import { recordMoneyEvents } from '../../history/money-events.ts'
import { sentOf } from '../../payouts/sent-payouts.ts'

type Of = Pick<Refund, 'programId' | 'saleId'>

/** The commissions of a sale: what it has earned until now, and the one that it earned first. */
async function readEarned(tx: Prisma.TransactionClient, { programId, saleId }: Of) {
  const include = { refund: { select: { reversedAt: true } } }
  const rows = await tx.commission.findMany({ where: { programId, saleId }, include })
  const parts = rows.map(({ amountCents, voidedAt, refund }) => {
    return { amountCents, isVoid: voidedAt !== null, isReversed: Boolean(refund?.reversedAt) }
  })
  const commissions = rows.map(({ refund: _, ...commission }): Commission => commission)
  const earned = earnedCommission(commissions)
  return { commissions, earned, currentCents: earnedUntilNow(parts), isFixed: await isFixed(tx, earned, commissions) }
}

/** The rule of a commission, less the items that refunds name. Only lines have items. */
async function ruleLeft(tx: Prisma.TransactionClient, earned: Commission, { programId, saleId }: Of) {
  const where = { programId, saleId, reversedAt: null }
  return earningRule(earned, earned.ruleLines === null ? [] : await tx.refund.findMany({ where }))
}

/** Whether a refund becomes a debt: the commission is paid, or sent, or has debts already. */
const isFixed = async (
  tx: Prisma.TransactionClient,
  earned: Commission | null,
  commissions: readonly Commission[],
): Promise<boolean> =>
  earned !== null &&
  (earned.paidAt !== null ||
    commissions.some(({ refundId }) => refundId !== null) ||
    (await sentOf(tx, [earned])).length > 0)

/** Lowers or voids the commission of the refunded sale, or records a debt if it is paid. Returns the events. */
export async function adjustCommission(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  refund: Refund,
  remainingCents: bigint,
  now: Date,
): Promise<NewEvent[]> {
  const { earned, currentCents, isFixed: isPaid } = await readEarned(tx, refund)
  if (!earned || earned.voidedAt) return []
  const effect = refundEffect(await ruleLeft(tx, earned, refund), { isPaid, currentCents, remainingCents })
  const key = { programId: refund.programId, id: earned.id, paidAt: null, voidedAt: null }
  const cause = { commission: earned, refundId: refund.id }
  switch (effect.kind) {
    case 'same':
      return []
    case 'debt': {
      const reason = `sale refunded after its commission was paid${nameOf(refund)}`
      return insertAfterPayment(ctx, tx, earned, { refund, amountCents: -effect.cents, reason }, now)
    }
    case 'voided': {
      await tx.commission.updateMany({ where: key, data: { voidedAt: now, payoutId: null, updatedAt: now } })
      const reason = `sale refunded in full${nameOf(refund)}`
      await recordMoneyEvents(tx, ctx, [{ ...cause, kind: 'voided', deltaCents: 0n, reason }], now)
      return eventsOf(earned.id, ['commission.updated', 'commission.voided'])
    }
    case 'lowered': {
      await tx.commission.updateMany({ where: key, data: { amountCents: effect.cents, updatedAt: now } })
      const reason = `sale refunded in part${nameOf(refund)}`
      const deltaCents = effect.cents - currentCents
      await recordMoneyEvents(tx, ctx, [{ ...cause, kind: 'refunded', deltaCents, reason }], now)
      return eventsOf(earned.id, ['commission.updated'])
    }
  }
}

/**
 * Gives back what a refund took, now that it is reversed: the sale has earned what it would have without it. An unpaid
 * commission is raised, and is void no longer if a refund had voided it. If the commission is paid, the debt of the
 * refund is voided; if that is paid too, or less, a credit is due at once. Returns the events.
 *
 * @param saleCents the amount of the sale before refunds
 */
export async function giveBack(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  refund: Refund,
  saleCents: bigint,
  now: Date,
): Promise<NewEvent[]> {
  const { programId, saleId } = refund
  const { commissions, earned, currentCents, isFixed: isFixedNow } = await readEarned(tx, refund)
  if (!earned) return []
  const facts = await tx.moneyEvent.findMany({ where: { programId, commissionId: earned.id }, orderBy: { id: 'asc' } })
  const isVoidByRefund = Boolean(facts.findLast(({ kind }) => kind === 'voided')?.refundId)
  if (earned.voidedAt && !isVoidByRefund) return []
  const refunds = await tx.refund.findMany({ where: { programId, saleId } })
  const cents = commissionWithout(await ruleLeft(tx, earned, refund), saleCents, facts, refunds)
  const reason = reversalReason(refund)
  if (isFixedNow) {
    const debt = commissions.find(({ refundId }) => refundId === refund.id)
    return payBack(ctx, tx, earned, { refund, debt, cents: cents - currentCents, reason }, now)
  }
  const deltaCents = cents - earned.amountCents
  if (!earned.voidedAt && deltaCents <= 0n) return []
  await tx.commission.updateMany({
    where: { programId, id: earned.id, paidAt: null, voidedAt: earned.voidedAt },
    data: { amountCents: cents, voidedAt: null, updatedAt: now },
  })
  const kind = earned.voidedAt ? 'unvoided' : 'refund_reversed'
  await recordMoneyEvents(tx, ctx, [{ commission: earned, refundId: refund.id, kind, deltaCents, reason }], now)
  return eventsOf(earned.id, ['commission.updated'])
}

const reversalReason = (refund: Refund): string =>
  `refund reversed${nameOf(refund)}${refund.reversalReason ? `: ${refund.reversalReason}` : ''}`

/** People, and affiliates in the portal, read the reasons: they have the id of the billing system, if there is one. */
const nameOf = ({ externalId }: Refund): string => (externalId === null ? '' : ` (${externalId})`)

/** Voids the debt of the refund, if it is not settled yet, and records a credit for the rest of what is owed back. */
async function payBack(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  earned: Commission,
  { refund, debt, cents, reason }: { refund: Refund; debt: Commission | undefined; cents: bigint; reason: string },
  now: Date,
): Promise<NewEvent[]> {
  const isSent = debt ? (await sentOf(tx, [debt])).length > 0 : false
  const isOpen = debt && !isSent && !debt.paidAt && !debt.voidedAt && -debt.amountCents <= cents
  const rest = isOpen ? cents + debt.amountCents : cents
  const events: NewEvent[] = []
  if (isOpen) {
    const key = { programId: debt.programId, id: debt.id, paidAt: null, voidedAt: null }
    await tx.commission.updateMany({ where: key, data: { voidedAt: now, payoutId: null, updatedAt: now } })
    const fact = { commission: debt, refundId: refund.id, kind: 'voided', deltaCents: 0n, reason } as const
    await recordMoneyEvents(tx, ctx, [fact], now)
    events.push(...eventsOf(debt.id, ['commission.updated', 'commission.voided']))
  }
  if (rest > 0n) events.push(...(await insertAfterPayment(ctx, tx, earned, { refund, amountCents: rest, reason }, now)))
  return events
}

/** Inserts the debt or the credit of a refund of a sale whose commission is paid. It is due at once. */
async function insertAfterPayment(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  earned: Commission,
  { refund, amountCents, reason }: { refund: Refund; amountCents: bigint; reason: string },
  now: Date,
): Promise<NewEvent[]> {
  const { ruleLines: _, ...rule } = earned
  const commission = {
    ...rule,
    id: mintId(now),
    refundId: refund.id,
    payoutId: null,
    amountCents,
    ruleDaysBeforeDue: 0,
    occurredAt: now,
    dueAt: now,
    paidAt: null,
    dueNotedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await tx.commission.create({ data: { ...commission, furtherHeldReasons: Prisma.DbNull } })
  const fact = { commission, refundId: refund.id, kind: 'earned', deltaCents: amountCents, reason } as const
  await recordMoneyEvents(tx, ctx, [fact], now)
  return eventsOf(commission.id, ['commission.created'])
}
