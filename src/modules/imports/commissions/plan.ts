import type { Commission, MoneyEvent, Referral, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { MoneyEventKind } from '../../../generated/prisma/enums.ts'
import { addDays } from '../../../kernel/dates.ts'
import { mintId } from '../../../kernel/ids.ts'
import { storedActor } from '../../history/actor.ts'
import type { BatchPlan } from '../plan.ts'
import type { SaleWithCommissions } from './existing.ts'
import type { Payment, PayoutMatch } from './paid-payouts.ts'

/** The rows that a batch of commissions writes, collected so that each table needs one statement. */
export type CommissionWrites = {
  referrals: Map<string, { before: Referral | null; after: Referral }>
  sales: Sale[]
  changedSales: Map<string, Sale>
  refunds: Refund[]
  commissions: Commission[]
  changedCommissions: Map<string, Commission>
  events: MoneyEvent[]
  payments: Payment[]
  unsettledAffiliateIds: Set<string>
}

export const newWrites = (): CommissionWrites => ({
  referrals: new Map(),
  sales: [],
  changedSales: new Map(),
  refunds: [],
  commissions: [],
  changedCommissions: new Map(),
  events: [],
  payments: [],
  unsettledAffiliateIds: new Set(),
})

/** Adds a money event with the time of the source. Its reason says that it was imported. */
export function addMoneyEvent(
  { ctx }: BatchPlan,
  writes: CommissionWrites,
  { programId, id: commissionId, currency }: Pick<Commission, 'programId' | 'id' | 'currency'>,
  kind: MoneyEventKind,
  deltaCents: bigint,
  at: Date,
  more: { dueAt?: Date; paidAt?: Date; refundId?: string | undefined } = {},
): void {
  const by = { ...storedActor(ctx.actor), requestId: ctx.requestId, reason: 'imported' }
  const { dueAt = null, paidAt = null, refundId = null } = more
  const fact = { programId, id: mintId(at), commissionId, kind, deltaCents, currency, dueAt, paidAt, refundId }
  writes.events.push({ ...fact, ...by, withheldCents: null, at })
}

/**
 * Adds the events that lead to the state of a new commission: earned, rescheduled, void, paid.
 *
 * @param fullRefund the refund of the whole sale, which voided the commission
 */
export function addInitialEvents(
  plan: BatchPlan,
  writes: CommissionWrites,
  commission: Commission,
  payout: PayoutMatch | undefined,
  fullRefund?: Refund,
): void {
  const { createdAt, occurredAt, dueAt, ruleDaysBeforeDue, paidAt, voidedAt } = commission
  const endsAt = paidAt ?? voidedAt
  // A commission is earned before it is paid or void, even when the times of the source contradict it.
  const earnedAt = endsAt && endsAt < createdAt ? endsAt : createdAt
  addMoneyEvent(plan, writes, commission, 'earned', commission.amountCents, earnedAt)
  if (commission.refundId === null && dueAt.getTime() !== addDays(occurredAt, ruleDaysBeforeDue).getTime())
    addMoneyEvent(plan, writes, commission, 'rescheduled', 0n, earnedAt, { dueAt })
  if (voidedAt) addMoneyEvent(plan, writes, commission, 'voided', 0n, voidedAt, { refundId: fullRefund?.id })
  if (paidAt) addPayment(plan, writes, commission, paidAt, payout)
}

/** Adds the payment of a commission, in its payout, or without one if the source shows no payout. */
export function addPayment(
  plan: BatchPlan,
  writes: CommissionWrites,
  commission: Commission,
  paidAt: Date,
  payout: PayoutMatch | undefined,
): void {
  addMoneyEvent(plan, writes, commission, 'paid', 0n, paidAt, payout ? {} : { paidAt })
  const { affiliateId, currency, amountCents } = commission
  if (payout) writes.payments.push({ ...payout, affiliateId, currency, amountCents })
}

const notReversed = { reversedAt: null, reversalReason: null }

export const refundOf = ({ programId, id: saleId }: Sale, amountCents: bigint, createdAt: Date): Refund => {
  const id = mintId(createdAt)
  return {
    programId,
    id,
    saleId,
    externalId: null,
    amountCents,
    items: null,
    occurredAt: null,
    createdAt,
    ...notReversed,
  }
}

/** Adds a refund of a sale that exists, here or in this batch. */
export function addRefund(
  writes: CommissionWrites,
  sale: SaleWithCommissions,
  amountCents: bigint,
  createdAt: Date,
): Refund {
  const refund = refundOf(sale, amountCents, createdAt)
  sale.refundedCents += amountCents
  sale.refunds.push(refund)
  writes.refunds.push(refund)
  writes.changedSales.set(sale.id, sale)
  return refund
}

export const daysBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 86_400_000))

export const nonNegative = (cents: bigint): bigint => (cents < 0n ? 0n : cents)

/** An amount between zero and `max`. */
export const clampCents = (cents: bigint, max: bigint): bigint => (cents > max ? max : nonNegative(cents))
