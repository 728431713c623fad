import type { Commission } from '../../../generated/prisma/client.ts'
import { type BatchPlan, type ImportedRecord, leaveOutChange, noteConflicts, recordOutcome } from '../plan.ts'
import { centsIn, snapshotOf, storedValue } from '../snapshot.ts'
import { type CommissionRecord, type Existing, saleKey } from './existing.ts'
import { type PaidCommission, type PayoutMatch, paidCommission } from './paid-payouts.ts'
import { addMoneyEvent, addPayment, addRefund, type CommissionWrites, clampCents } from './plan.ts'
import { commissionSnapshot, sourceState, stateHere } from './state.ts'

/** A commission that was imported before: at the source now, at the source when last read, and here. */
type Update = { record: CommissionRecord; imported: ImportedRecord; row: Commission }

export const updatesOf = (existing: Existing, records: readonly CommissionRecord[]): Update[] =>
  records.flatMap((record) => {
    const imported = existing.imported.get(record.externalId)
    const row = imported && existing.commissions.get(imported.id)
    return row ? { record, imported, row } : []
  })

const isOpen = (row: Commission) => stateHere(row) === 'open'

/** Whether a commission was paid at the source since, and is neither paid nor void here. */
const becamePaid = ({ record, imported, row }: Update) =>
  isOpen(row) && sourceState(record) === 'paid' && imported.snapshot.state !== 'paid'

const updatedAtOf = ({ now }: BatchPlan, record: CommissionRecord) => record.updatedAt ?? now

export const paidUpdates = (plan: BatchPlan, updates: readonly Update[]): PaidCommission[] =>
  updates
    .filter(becamePaid)
    .map(({ record, row }) => paidCommission(record, row.affiliateId, record.paidAt ?? updatedAtOf(plan, record)))

/**
 * Plans changes at the source since a commission was imported: paid, void, another amount or due date, a refund. Fields
 * that were changed here stay. A commission that is paid here is not paid again.
 */
export function planUpdates(
  plan: BatchPlan,
  existing: Existing,
  writes: CommissionWrites,
  updates: readonly Update[],
  matches: ReadonlyMap<string, PayoutMatch>,
): void {
  for (const update of updates) {
    const { record, imported, row } = update
    const { externalId } = record
    const after = applyChanges(plan, writes, update)
    if (becamePaid(update) && after.voidedAt === null) {
      const payout = matches.get(externalId)
      const paidAt = payout?.paidAt ?? record.paidAt ?? updatedAtOf(plan, record)
      Object.assign(after, {
        payoutId: payout?.payoutId ?? null,
        paidAt,
        heldReason: null,
        furtherHeldReasons: null,
        updatedAt: paidAt,
      })
      addPayment(plan, writes, after, paidAt, payout)
    }
    const isChanged = JSON.stringify(snapshotOf(after)) !== JSON.stringify(snapshotOf(row))
    if (isChanged) {
      writes.changedCommissions.set(row.id, after)
      if (row.payoutId !== null) writes.unsettledAffiliateIds.add(row.affiliateId)
    }
    const isRefunded = planRefund(plan, existing, writes, update, after)
    const sale = {
      saleAmountCents: record.saleAmountCents ?? centsIn(imported.snapshot, 'saleAmountCents'),
      refundedCents: record.saleRefundedCents ?? centsIn(imported.snapshot, 'refundedCents'),
    }
    const snapshot = commissionSnapshot(record, row.affiliateId, record.dueAt ?? row.dueAt, sale)
    const outcome = isChanged || isRefunded ? 'updated' : 'unchanged'
    recordOutcome(plan, 'commission', externalId, outcome, { id: row.id, snapshot })
    const affiliateId = existing.affiliateIds.get(record.affiliateId)
    if (affiliateId !== undefined && affiliateId !== row.affiliateId) {
      const sentence = 'The commission belongs to another affiliate at the source. Here it stays unchanged.'
      leaveOutChange(plan, 'commission', externalId, sentence)
    }
    recordSale(plan, existing, update, sale, isRefunded)
  }
}

function recordSale(
  plan: BatchPlan,
  existing: Existing,
  { record, row }: Update,
  { saleAmountCents, refundedCents }: { saleAmountCents: bigint; refundedCents: bigint },
  isRefunded: boolean,
): void {
  const sale = existing.sales.get(saleKey(record))
  if (!sale || row.refundId !== null) return
  recordOutcome(plan, 'sale', saleKey(record), isRefunded ? 'updated' : 'unchanged', {
    id: sale.id,
    snapshot: snapshotOf({ amountCents: saleAmountCents, refundedCents, currency: sale.currency }),
  })
}

/** The row with the changes of its amount, its due date, and that it is void. Conflicts are noted. */
function applyChanges(plan: BatchPlan, writes: CommissionWrites, { record, imported, row }: Update): Commission {
  const { snapshot } = imported
  const after = { ...row }
  const conflicts: string[] = []
  const isNew = (field: 'amountCents' | 'dueAt') => {
    const there = storedValue(record[field])
    return there !== snapshot[field] && there !== storedValue(row[field])
  }
  const isFinal = (field: 'amountCents' | 'dueAt') => !isOpen(row) || storedValue(row[field]) !== snapshot[field]
  const updatedAt = updatedAtOf(plan, record)
  if (isNew('amountCents')) {
    const isAllowed = row.refundId === null && record.amountCents >= 0n
    if (isFinal('amountCents') || !isAllowed) conflicts.push('amountCents')
    else {
      Object.assign(after, { amountCents: record.amountCents, updatedAt })
      addMoneyEvent(plan, writes, row, 'amended', record.amountCents - row.amountCents, plan.now)
    }
  }
  if (record.dueAt && isNew('dueAt')) {
    if (isFinal('dueAt')) conflicts.push('dueAt')
    else {
      Object.assign(after, { dueAt: record.dueAt, payoutId: null, updatedAt })
      addMoneyEvent(plan, writes, row, 'rescheduled', 0n, plan.now, { dueAt: record.dueAt })
    }
  }
  const state = sourceState(record)
  if (state !== snapshot.state) {
    if (state === 'void' && isOpen(row)) {
      const voidedAt = record.voidedAt ?? updatedAt
      Object.assign(after, { voidedAt, payoutId: null, heldReason: null, furtherHeldReasons: null, updatedAt })
      addMoneyEvent(plan, writes, row, 'voided', 0n, voidedAt)
    } else if (state !== stateHere(row) && !(state === 'paid' && isOpen(row))) conflicts.push('state')
  }
  noteConflicts(plan, 'commission', record.externalId, conflicts)
  return after
}

/** Adds what was refunded at the source since, if the sale was not refunded here in between. */
function planRefund(
  { now }: BatchPlan,
  existing: Existing,
  writes: CommissionWrites,
  { record, imported, row }: Update,
  after: Commission,
): boolean {
  const sale = existing.sales.get(saleKey(record))
  const before = centsIn(imported.snapshot, 'refundedCents')
  const { saleRefundedCents = 0n } = record
  if (!sale || row.refundId !== null || saleRefundedCents <= before || sale.refundedCents !== before) return false
  // A full refund would void the commission, so the commission has to be void.
  if (saleRefundedCents >= sale.amountCents && after.voidedAt === null) return false
  const deltaCents = clampCents(saleRefundedCents, sale.amountCents) - sale.refundedCents
  if (deltaCents <= 0n) return false
  const refund = addRefund(writes, sale, deltaCents, record.saleUpdatedAt ?? now)
  const voided = writes.events.findLast(({ commissionId, kind }) => commissionId === row.id && kind === 'voided')
  if (voided && sale.refundedCents === sale.amountCents) voided.refundId = refund.id
  return true
}
