import type { Commission, Refund } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { type Batch, leaveOut, leaveOutUnresolved, tell } from './batch.ts'
import { daysBetween, nonNegative, refundOf, smaller } from './earned.ts'
import { type CommissionRecord, type Ground, type SaleHere, saleKey } from './ground.ts'
import { addWhatBecame, type Ledger } from './ledger.ts'
import { madeAndChanged } from './moments.ts'
import { readPaidPayouts } from './paid-in.ts'
import { paidIn, seenOf, stateOf } from './source-state.ts'
import { storedFields } from './stored.ts'

/**
 * Negative commissions: each is a refund of a sale after its commission was paid, and takes back a part of it. They come
 * after the commissions that they take back from.
 */
export async function takeDebts(
  batch: Batch,
  ground: Ground,
  ledger: Ledger,
  records: readonly CommissionRecord[],
): Promise<void> {
  if (records.length === 0) return
  const paid = records.flatMap((record) => {
    const affiliateId = ground.affiliates.get(record.affiliateId)
    const isPaid = stateOf(record) === 'paid' && affiliateId !== undefined
    return isPaid ? [{ record, affiliateId, paidAt: record.paidAt ?? record.updatedAt ?? batch.now }] : []
  })
  const payouts = await paidIn(batch, paid)
  const balances = new Map<string, bigint>()
  for (const [id, { amountCents }] of await readPaidPayouts(batch, [...payouts.values()])) balances.set(id, amountCents)
  for (const { payoutId, amountCents } of ledger.payments)
    balances.set(payoutId, (balances.get(payoutId) ?? 0n) + amountCents)

  for (const record of records) {
    const { externalId, amountCents } = record
    const seen = storedFields({ amountCents, currency: record.currency, state: stateOf(record) })
    const sale = ground.sales.get(saleKey(record))
    const earned = sale?.commissions.find(({ refundId }) => refundId === null)
    if (!sale || !earned) {
      const missing = { field: 'saleId', kind: 'sale', externalId: saleKey(record) } as const
      leaveOutUnresolved(batch, 'commission', externalId, [missing], seen)
      continue
    }
    const payment = payouts.get(externalId)
    const problem = problemOf(sale, earned, record, payment && (balances.get(payment.payoutId) ?? 0n))
    const refund = problem ? null : refundFor(batch, ledger, sale, record)
    if (!refund) {
      leaveOut(batch, 'commission', externalId, { message: problem ?? 'Nothing of its sale was given back.' }, seen)
      continue
    }
    const times = madeAndChanged(record, batch.now)
    const occurredAt = times.createdAt
    const { dueAt = occurredAt } = record
    const commission: Commission = {
      ...earned,
      id: mintId(times.createdAt),
      refundId: refund.id,
      payoutId: payment?.payoutId ?? null,
      amountCents,
      heldReason: null,
      ruleDaysBeforeDue: daysBetween(occurredAt, dueAt),
      occurredAt,
      dueAt,
      paidAt: payment?.paidAt ?? (stateOf(record) === 'paid' ? (record.paidAt ?? times.updatedAt) : null),
      voidedAt: stateOf(record) === 'void' ? (record.voidedAt ?? times.updatedAt) : null,
      ...times,
    }
    ledger.commissions.push(commission)
    sale.commissions.push(commission)
    addWhatBecame(batch, ledger, commission, payment)
    if (payment) balances.set(payment.payoutId, (balances.get(payment.payoutId) ?? 0n) + amountCents)
    const base = { saleAmountCents: sale.amountCents, refundedCents: record.saleRefundedCents ?? sale.refundedCents }
    tell(batch, 'commission', externalId, 'created', {
      id: commission.id,
      seen: seenOf(record, earned.affiliateId, dueAt, base),
    })
  }
}

function problemOf(
  sale: SaleHere,
  earned: Commission,
  { amountCents, currency }: CommissionRecord,
  balance: bigint | undefined,
): string | null {
  if (!earned.paidAt) return 'It takes back from a commission that is not paid.'
  if (currency !== earned.currency) return 'It is in another currency than the commission it takes back from.'
  const left = sale.commissions.reduce((sum, commission) => sum + commission.amountCents, 0n)
  if (left + amountCents < 0n) return 'It takes back more than was paid.'
  if (balance !== undefined && balance + amountCents < 0n) return 'Its payout would come to less than nothing.'
  return null
}

/** The refund that a debt is for: each has one of its own, and together they come to what was given back. */
function refundFor(batch: Batch, ledger: Ledger, sale: SaleHere, record: CommissionRecord): Refund | null {
  const taken = new Set(sale.commissions.map(({ refundId }) => refundId))
  const free = sale.refunds.find(({ id }) => !taken.has(id))
  const total = smaller(nonNegative(record.saleRefundedCents ?? sale.refundedCents), sale.amountCents)
  const left = sale.commissions.reduce((sum, { amountCents }) => sum + amountCents, record.amountCents)
  // While something of the commission stands, something of the sale does.
  const most = left === 0n ? total : smaller(total, sale.amountCents - 1n)
  const open = most - sale.refundedCents
  if (free && open <= 0n) return free
  if (open <= 0n) return null
  const refund = refundOf(sale, open, madeAndChanged(record, batch.now).createdAt)
  sale.refundedCents += open
  sale.refunds.push(refund)
  ledger.refunds.push(refund)
  ledger.changedSales.set(sale.id, sale)
  return refund
}
