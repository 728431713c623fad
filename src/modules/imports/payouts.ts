import { mintId } from '../../kernel/ids.ts'
import { type Batch, leaveOutUnresolved, note, readKnown, tell } from './batch.ts'
import type { RecordOf } from './input.ts'
import { madeAndChanged } from './moments.ts'
import { type Seen, storedFields } from './stored.ts'

/**
 * Payouts are read before commissions, and written down as what is to come: the row of a paid one is made with the
 * first of its commissions, so that it is their sum at every moment. An open one is no row of its own: commissions that
 * are due are gathered here as they are there.
 */
export async function takePayouts(batch: Batch, records: RecordOf<'payout'>[]): Promise<void> {
  const { tx, ctx, now } = batch
  const programId = ctx.program.id
  const externalId = { in: records.map((record) => record.externalId) }
  const found = await tx.importedRecord.findMany({ where: { programId, kind: 'payout', externalId } })
  const known = new Map(found.map((one) => [one.externalId, one]))
  const ids = found.flatMap(({ id }) => id ?? [])
  const rows = await tx.payout.findMany({ where: { programId, id: { in: ids } } })
  const paidHere = new Set(rows.filter(({ paidAt }) => paidAt).map(({ id }) => id))
  const affiliates = await readKnown(
    batch,
    'affiliate',
    records.map(({ affiliateId }) => affiliateId),
  )
  for (const record of records) {
    const affiliateId = affiliates.get(record.affiliateId)?.id
    const { createdAt, updatedAt } = madeAndChanged(record, record.paidAt ?? now)
    const isPaid = record.paidAt !== undefined || record.state === 'paid'
    const paidAt = isPaid ? (record.paidAt ?? updatedAt) : null
    const { currency, amountCents } = record
    const lines = record.commissionIds?.length ?? 0
    const seen = storedFields({ affiliateId, currency, amountCents, paidAt, createdAt, lines })
    if (affiliateId === undefined) {
      const missing = { field: 'affiliateId', kind: 'affiliate', externalId: record.affiliateId } as const
      leaveOutUnresolved(batch, 'payout', record.externalId, [missing], seen)
      continue
    }
    const before = known.get(record.externalId)
    const becamePaid = isPaid && (before?.seen as Seen | undefined)?.paidAt === null
    if (before && becamePaid && before.id !== null && paidHere.has(before.id))
      note(batch, 'payout', record.externalId, 'Was paid here and at the source.')
    const isNewlyPlanned = isPaid && (!before?.id || (becamePaid && !paidHere.has(before.id)))
    const id = isNewlyPlanned ? mintId(createdAt) : (before?.id ?? null)
    const outcome = !before || before.isLeftOut ? 'created' : isNewlyPlanned ? 'updated' : 'unchanged'
    tell(batch, 'payout', record.externalId, outcome, { id, seen })
    if (!isPaid) continue
    for (const commissionId of record.commissionIds ?? [])
      batch.remembered.set(`payout_line ${commissionId}`, {
        kind: 'payout_line',
        externalId: commissionId,
        id,
        seen: {},
      })
  }
}
