import type { ImportedRecord as ImportedRecordRow } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { type Batch, findImported } from './batch.ts'
import type { RecordOf } from './input.ts'
import { addNote, type BatchPlan, type ImportedRecord, leaveOutUnresolved, recordOutcome } from './plan.ts'
import { dateIn, type Snapshot, snapshotOf } from './snapshot.ts'
import { timestampsOf } from './timestamps.ts'

type PayoutRecord = RecordOf<'payout'>

type Existing = {
  records: Map<string, ImportedRecordRow>
  paidIds: Set<string>
  affiliates: Map<string, ImportedRecord>
}

/**
 * Imports payouts, which are read before commissions. Only their records are written: a paid payout's row is created
 * with its first commission, so that its amount is their sum. Open payouts are collected here instead.
 */
export async function importPayouts(batch: Batch, records: PayoutRecord[]): Promise<void> {
  planPayouts(batch, await readExisting(batch, records), records)
}

async function readExisting(batch: Batch, records: PayoutRecord[]): Promise<Existing> {
  const { tx, ctx } = batch
  const programId = ctx.program.id
  const externalId = { in: records.map((record) => record.externalId) }
  const found = await tx.importedRecord.findMany({ where: { programId, kind: 'payout', externalId } })
  const ids = found.flatMap(({ id }) => id ?? [])
  const rows = await tx.payout.findMany({ where: { programId, id: { in: ids } } })
  const affiliates = await findImported(
    batch,
    'affiliate',
    records.map(({ affiliateId }) => affiliateId),
  )
  return {
    records: new Map(found.map((one) => [one.externalId, one])),
    paidIds: new Set(rows.filter(({ paidAt }) => paidAt).map(({ id }) => id)),
    affiliates,
  }
}

function planPayouts(plan: BatchPlan, existing: Existing, records: PayoutRecord[]): void {
  for (const record of records) {
    const { externalId, currency, amountCents, commissionIds = [] } = record
    const affiliateId = existing.affiliates.get(record.affiliateId)?.id
    const { createdAt, updatedAt } = timestampsOf(record, record.paidAt ?? plan.now)
    const isPaid = record.paidAt !== undefined || record.state === 'paid'
    const before = existing.records.get(externalId)
    const seen = (before?.seen ?? {}) as Snapshot
    const paidAt = isPaid ? (record.paidAt ?? dateIn(seen, 'paidAt') ?? updatedAt) : null
    const lines = record.shown.has('commissionIds') ? commissionIds.length : Number(seen.lines ?? 0)
    const snapshot = snapshotOf({ affiliateId, currency, amountCents, paidAt, createdAt, lines })
    if (affiliateId === undefined) {
      const missing = { field: 'affiliateId', kind: 'affiliate' } as const
      leaveOutUnresolved(plan, 'payout', externalId, [missing], snapshot)
      continue
    }
    const isPaidHere = existing.paidIds.has(before?.id ?? '')
    const becamePaid = isPaid && seen.paidAt === null
    if (becamePaid && isPaidHere)
      addNote(plan, 'payout', externalId, 'The payout was paid both here and at the source.')
    const needsRow = isPaid && (!before?.id || (becamePaid && !isPaidHere))
    const id = needsRow ? mintId(createdAt) : (before?.id ?? null)
    const outcome = !before || before.isLeftOut ? 'created' : needsRow ? 'updated' : 'unchanged'
    recordOutcome(plan, 'payout', externalId, outcome, { id, snapshot })
    if (!isPaid) continue
    for (const commissionId of commissionIds)
      plan.records.set(`payout_line ${commissionId}`, {
        kind: 'payout_line',
        externalId: commissionId,
        id,
        snapshot: {},
      })
  }
}
