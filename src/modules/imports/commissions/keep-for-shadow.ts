import { type Batch, findImported } from '../batch.ts'
import { leaveOut, leaveOutUnresolved } from '../plan.ts'
import { snapshotOf } from '../snapshot.ts'
import { timestampsOf } from '../timestamps.ts'
import type { CommissionRecord } from './existing.ts'
import { keptForShadow } from './kept-fields.ts'
import { leftOutSnapshot } from './state.ts'

/** When the sale of a commission occurred, as far as the source says it. */
export const saleTime = (record: CommissionRecord): Date => {
  const { saleOccurredAt, saleCreatedAt, paidAt, dueAt } = record
  return saleOccurredAt ?? saleCreatedAt ?? timestampsOf(record, paidAt ?? dueAt ?? new Date(0)).createdAt
}

/**
 * Keeps commissions for the comparison, without rows here: a shadow computes its own. They are imported when the shadow
 * ends.
 */
export async function keepForShadow(batch: Batch, records: readonly CommissionRecord[]): Promise<void> {
  const affiliates = await findImported(
    batch,
    'affiliate',
    records.map(({ affiliateId }) => affiliateId),
  )
  for (const record of records) {
    const { shown: _, ...fields } = record
    if (!affiliates.has(record.affiliateId)) {
      const missing = { field: 'affiliateId', kind: 'affiliate' } as const
      leaveOutUnresolved(batch, 'commission', record.externalId, [missing], leftOutSnapshot(record))
      continue
    }
    const kept = { ...leftOutSnapshot(record), kept: JSON.stringify(snapshotOf(fields)) }
    leaveOut(batch, 'commission', record.externalId, { message: keptForShadow }, kept)
  }
}

/** Leaves out commissions of sales since the end of a shadow: those sales count here. @returns the others */
export function withoutLaterSales(batch: Batch, records: CommissionRecord[]): CommissionRecord[] {
  const { shadowEndedAt } = batch.ctx.program
  if (shadowEndedAt === null) return records
  return records.filter((record) => {
    const isLater = saleTime(record) >= shadowEndedAt
    const message = 'The sale is after the end of the shadow: it counts here.'
    if (isLater) leaveOut(batch, 'commission', record.externalId, { message }, leftOutSnapshot(record))
    return !isLater
  })
}
