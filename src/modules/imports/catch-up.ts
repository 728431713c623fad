import type { Commission } from '../../generated/prisma/client.ts'
import { type Batch, type Known, leaveAsIs, note, tell } from './batch.ts'
import { keptSentence } from './campaigns.ts'
import { nonNegative, refundOf, smaller } from './earned.ts'
import { type CommissionRecord, type Ground, saleKey } from './ground.ts'
import { addFact, addPayment, type Ledger } from './ledger.ts'
import { paidIn, seenOf, stateHere, stateOf } from './source-state.ts'
import { storedFields } from './stored.ts'

type Pair = { record: CommissionRecord; before: Known; row: Commission }

/**
 * What became at the source of commissions that were imported before: paid, void, another amount or due date, a refund
 * of the sale. What was changed here meanwhile stays as it is here; who is paid here is not paid again.
 */
export async function catchUp(
  batch: Batch,
  ground: Ground,
  ledger: Ledger,
  records: readonly CommissionRecord[],
): Promise<void> {
  const pairs = records.map((record): Pair => {
    const before = ground.known.get(record.externalId) as Known
    return { record, before, row: ground.commissions.get(before.id) as Commission }
  })
  const becamePaid = pairs.filter(
    ({ record, before, row }) => isOpen(row) && stateOf(record) === 'paid' && before.seen.state !== 'paid',
  )
  const payouts = await paidIn(
    batch,
    becamePaid.map(({ record, row }) => {
      return { record, affiliateId: row.affiliateId, paidAt: record.paidAt ?? record.updatedAt ?? batch.now }
    }),
  )
  for (const pair of pairs) {
    const { record, before, row } = pair
    const after = changed(batch, ledger, pair)
    const payment = payouts.get(record.externalId)
    if (becamePaid.includes(pair) && after.voidedAt === null) {
      const paidAt = payment?.paidAt ?? record.paidAt ?? record.updatedAt ?? batch.now
      Object.assign(after, { payoutId: payment?.payoutId ?? null, paidAt, heldReason: null, updatedAt: paidAt })
      addPayment(batch, ledger, after, paidAt, payment)
    }
    const isChanged = storedFields(after) && JSON.stringify(storedFields(after)) !== JSON.stringify(storedFields(row))
    if (isChanged) {
      ledger.changedCommissions.set(row.id, after)
      if (row.payoutId !== null) ledger.unsettled.add(row.affiliateId)
    }
    const wasRefunded = refund(batch, ground, ledger, pair, after)
    const dueAt = record.dueAt ?? row.dueAt
    const base = {
      saleAmountCents: record.saleAmountCents ?? BigInt(String(before.seen.saleAmountCents ?? 0)),
      refundedCents: record.saleRefundedCents ?? BigInt(String(before.seen.refundedCents ?? 0)),
    }
    const seen = seenOf(record, row.affiliateId, dueAt, base)
    tell(batch, 'commission', record.externalId, isChanged || wasRefunded ? 'updated' : 'unchanged', {
      id: row.id,
      seen,
    })
    const owner = ground.affiliates.get(record.affiliateId)
    if (owner !== undefined && owner !== row.affiliateId)
      leaveAsIs(batch, 'commission', record.externalId, 'Is of another affiliate at the source by now: here it stays.')
    const sale = ground.sales.get(saleKey(record))
    if (!sale || row.refundId !== null) continue
    tell(batch, 'sale', saleKey(record), wasRefunded ? 'updated' : 'unchanged', {
      id: sale.id,
      seen: storedFields({
        amountCents: base.saleAmountCents,
        refundedCents: base.refundedCents,
        currency: sale.currency,
      }),
    })
  }
}

const isOpen = ({ paidAt, voidedAt }: Commission) => paidAt === null && voidedAt === null

/** The row with what changed at the source and not here: amount, due date, and that it is void. */
function changed(batch: Batch, ledger: Ledger, { record, before, row }: Pair): Commission {
  const after = { ...row }
  const kept: string[] = []
  const state = stateOf(record)
  const isNew = (field: string, value: unknown) => storedFields({ value }).value !== before.seen[field]
  const isOwn = (field: 'amountCents' | 'dueAt') => storedFields({ value: row[field] }).value !== before.seen[field]
  const updatedAt = record.updatedAt ?? batch.now
  if (isNew('amountCents', record.amountCents) && record.amountCents !== row.amountCents) {
    const fits = row.refundId === null ? record.amountCents >= 0n : false
    if (!isOpen(row) || isOwn('amountCents') || !fits) kept.push('amountCents')
    else {
      Object.assign(after, { amountCents: record.amountCents, updatedAt })
      addFact(batch, ledger, row, 'amended', record.amountCents - row.amountCents, batch.now)
    }
  }
  if (record.dueAt && isNew('dueAt', record.dueAt) && record.dueAt.getTime() !== row.dueAt.getTime()) {
    if (!isOpen(row) || isOwn('dueAt')) kept.push('dueAt')
    else {
      Object.assign(after, { dueAt: record.dueAt, payoutId: null, updatedAt })
      addFact(batch, ledger, row, 'rescheduled', 0n, batch.now, { dueAt: record.dueAt })
    }
  }
  if (state !== before.seen.state) {
    if (state === 'void' && isOpen(row)) {
      const voidedAt = record.voidedAt ?? updatedAt
      Object.assign(after, { voidedAt, payoutId: null, heldReason: null, updatedAt })
      addFact(batch, ledger, row, 'voided', 0n, voidedAt)
    } else if (state !== stateHere(row) && !(state === 'paid' && isOpen(row))) kept.push('state')
  }
  if (kept.length > 0) note(batch, 'commission', record.externalId, keptSentence(kept))
  return after
}

/** What was given back at the source since, where the sale stands here as it was read last. */
function refund(
  batch: Batch,
  ground: Ground,
  ledger: Ledger,
  { record, before, row }: Pair,
  after: Commission,
): boolean {
  const sale = ground.sales.get(saleKey(record))
  const seen = BigInt(String(before.seen.refundedCents ?? 0))
  const { saleRefundedCents = 0n } = record
  if (!sale || row.refundId !== null || saleRefundedCents <= seen || sale.refundedCents !== seen) return false
  const isWhole = saleRefundedCents >= sale.amountCents
  if (isWhole && after.voidedAt === null) return false
  const deltaCents = smaller(nonNegative(saleRefundedCents), sale.amountCents) - sale.refundedCents
  if (deltaCents <= 0n) return false
  sale.refundedCents += deltaCents
  const made = refundOf(sale, deltaCents, record.saleUpdatedAt ?? batch.now)
  sale.refunds.push(made)
  ledger.refunds.push(made)
  ledger.changedSales.set(sale.id, sale)
  return true
}
