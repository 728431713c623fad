import type { Commission, Payout, Refund } from '../../../generated/prisma/client.ts'
import { mintId } from '../../../kernel/ids.ts'
import { type BatchPlan, leaveOut, leaveOutUnresolved, recordOutcome } from '../plan.ts'
import { timestampsOf } from '../timestamps.ts'
import { type CommissionRecord, type Existing, type SaleWithCommissions, saleKey } from './existing.ts'
import { type PaidCommission, type PayoutMatch, paidCommission } from './paid-payouts.ts'
import { addInitialEvents, addRefund, type CommissionWrites, clampCents, daysBetween } from './plan.ts'
import { commissionSnapshot, leftOutSnapshot, sourceState } from './state.ts'

export const paidNegatives = (
  { now }: BatchPlan,
  existing: Existing,
  records: readonly CommissionRecord[],
): PaidCommission[] =>
  records.flatMap((record) => {
    const affiliateId = existing.affiliateIds.get(record.affiliateId)
    if (affiliateId === undefined || sourceState(record) !== 'paid') return []
    return paidCommission(record, affiliateId, record.paidAt ?? record.updatedAt ?? now)
  })

/** Plans negative commissions: each deducts from a paid commission after a refund, and is planned after it. */
export function planNegatives(
  plan: BatchPlan,
  existing: Existing,
  writes: CommissionWrites,
  records: readonly CommissionRecord[],
  payouts: { matches: ReadonlyMap<string, PayoutMatch>; rows: ReadonlyMap<string, Payout> },
): void {
  const balances = new Map([...payouts.rows].map(([id, { amountCents }]) => [id, amountCents]))
  const balanceOf = ({ payoutId }: PayoutMatch) => balances.get(payoutId) ?? 0n
  for (const payment of writes.payments) balances.set(payment.payoutId, balanceOf(payment) + payment.amountCents)

  for (const record of records) {
    const { externalId, amountCents } = record
    const sale = existing.sales.get(saleKey(record))
    const earned = sale?.commissions.find(({ refundId }) => refundId === null)
    if (!sale && existing.leftOutSales.has(saleKey(record))) {
      leaveOutUnresolved(plan, 'commission', externalId, [{ field: 'saleId', kind: 'sale' }], leftOutSnapshot(record))
      continue
    }
    if (!sale || !earned) {
      const message = 'The commission deducts from its sale, but the source shows no other commission of the sale.'
      leaveOut(plan, 'commission', externalId, { field: 'saleId', message }, leftOutSnapshot(record))
      continue
    }
    const payout = payouts.matches.get(externalId)
    const problem = problemOf(sale, earned, record, payout && balanceOf(payout))
    const refund = problem ? null : refundFor(plan, writes, sale, record)
    if (!refund) {
      const message = problem ?? 'The sale has no refund to deduct for.'
      leaveOut(plan, 'commission', externalId, { message }, leftOutSnapshot(record))
      continue
    }
    const commission = negativeCommission(plan, record, earned, refund, payout)
    writes.commissions.push(commission)
    sale.commissions.push(commission)
    addInitialEvents(plan, writes, commission, payout)
    if (payout) balances.set(payout.payoutId, balanceOf(payout) + amountCents)
    recordOutcome(plan, 'commission', externalId, 'created', {
      id: commission.id,
      snapshot: commissionSnapshot(record, earned.affiliateId, commission.dueAt, {
        saleAmountCents: sale.amountCents,
        refundedCents: record.saleRefundedCents ?? sale.refundedCents,
      }),
    })
  }
}

function negativeCommission(
  { now }: BatchPlan,
  record: CommissionRecord,
  earned: Commission,
  refund: Refund,
  payout: PayoutMatch | undefined,
): Commission {
  const times = timestampsOf(record, now)
  const occurredAt = times.createdAt
  const { dueAt = occurredAt } = record
  const state = sourceState(record)
  return {
    ...earned,
    id: mintId(times.createdAt),
    refundId: refund.id,
    payoutId: payout?.payoutId ?? null,
    amountCents: record.amountCents,
    heldReason: null,
    furtherHeldReasons: null,
    ruleDaysBeforeDue: daysBetween(occurredAt, dueAt),
    occurredAt,
    dueAt,
    dueNotedAt: dueAt <= now ? now : null,
    paidAt: payout?.paidAt ?? (state === 'paid' ? (record.paidAt ?? times.updatedAt) : null),
    voidedAt: state === 'void' ? (record.voidedAt ?? times.updatedAt) : null,
    ...times,
  }
}

function problemOf(
  sale: SaleWithCommissions,
  earned: Commission,
  { amountCents, currency }: CommissionRecord,
  payoutBalance: bigint | undefined,
): string | null {
  if (!earned.paidAt) return 'The commission that it deducts from is not paid.'
  if (currency !== earned.currency) return 'The commission that it deducts from has another currency.'
  if (commissionSum(sale) + amountCents < 0n) return 'It deducts more than was paid.'
  if (payoutBalance !== undefined && payoutBalance + amountCents < 0n)
    return 'It would make the amount of its payout negative.'
  return null
}

/** The refund of a negative commission. Each has its own, and their sum is what was refunded at the source. */
function refundFor(
  { now }: BatchPlan,
  writes: CommissionWrites,
  sale: SaleWithCommissions,
  record: CommissionRecord,
): Refund | null {
  const used = new Set(sale.commissions.map(({ refundId }) => refundId))
  const unused = sale.refunds.find(({ id }) => !used.has(id))
  const total = clampCents(record.saleRefundedCents ?? sale.refundedCents, sale.amountCents)
  const remains = commissionSum(sale) + record.amountCents
  // A sale is not fully refunded as long as something of its commission remains.
  const most = remains !== 0n && total === sale.amountCents ? total - 1n : total
  const openCents = most - sale.refundedCents
  if (openCents <= 0n) return unused ?? null
  return addRefund(writes, sale, openCents, timestampsOf(record, now).createdAt)
}

const commissionSum = (sale: SaleWithCommissions): bigint =>
  sale.commissions.reduce((sum, { amountCents }) => sum + amountCents, 0n)
