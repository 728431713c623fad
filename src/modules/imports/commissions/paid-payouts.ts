import type { Payout } from '../../../generated/prisma/client.ts'
import { type Batch, byId, findImported } from '../batch.ts'
import { addNote, type BatchPlan, type ImportedRecord, noWrites, type RowWrites } from '../plan.ts'
import { dateIn, type Snapshot, snapshotOf } from '../snapshot.ts'
import type { CommissionRecord } from './existing.ts'

/** A commission that is paid at the source. */
export type PaidCommission = {
  externalId: string
  affiliateId: string
  currency: string
  amountCents: bigint
  paidAt: Date
}

export const paidCommission = (
  { externalId, currency, amountCents }: CommissionRecord,
  affiliateId: string,
  paidAt: Date,
): PaidCommission => ({ externalId, affiliateId, currency, amountCents, paidAt })

export type PayoutMatch = { payoutId: string; paidAt: Date; createdAt: Date }

export type ExistingPayouts = {
  /** Which payouts list the commissions, by the commission's id at the source. */
  lines: Map<string, ImportedRecord>
  imported: ImportedRecord[]
  /** By id here. A payout has no row before its first commission is imported. */
  rows: Map<string, Payout>
}

/** Reads the imported payouts that list these commissions, or that have the same affiliate, currency and time. */
export async function readPayouts(batch: Batch, paid: readonly PaidCommission[]): Promise<ExistingPayouts> {
  if (paid.length === 0) return { lines: new Map(), imported: [], rows: new Map() }
  const { tx, ctx } = batch
  const programId = ctx.program.id
  const lines = await findImported(
    batch,
    'payout_line',
    paid.map(({ externalId }) => externalId),
  )
  const ids = [...lines.values()].map(({ id }) => id)
  const keys = paid.filter(({ externalId }) => !lines.has(externalId)).map((one) => paymentKey(snapshotOf(one)))
  const imported = await tx.$queryRaw<ImportedRecord[]>`
    select external_id as "externalId", id::text, seen as snapshot from imported_records
    where program_id = ${programId}::uuid and kind = 'payout' and not is_left_out and id is not null
      and (id = any(${ids}::uuid[]) or (${keys.length > 0} and seen->>'paidAt' is not null
        and concat_ws(' ', seen->>'affiliateId', seen->>'currency', seen->>'paidAt') = any(${keys})))
    order by external_id`
  const rows = await tx.payout.findMany({ where: { programId, id: { in: imported.map(({ id }) => id) } } })
  return { lines, imported, rows: byId(rows) }
}

const paymentKey = ({ affiliateId, currency, paidAt }: Snapshot) => `${affiliateId} ${currency} ${paidAt}`

/**
 * The payout of each paid commission: the one that lists it, else one without a list with the same affiliate, currency
 * and time. Both are paid at the payout's time. A commission without a payout was paid individually.
 */
export function matchPayouts(
  plan: BatchPlan,
  { lines, imported }: ExistingPayouts,
  paid: readonly PaidCommission[],
): Map<string, PayoutMatch> {
  const payoutById = byId(imported)
  // A payout that lists its commissions contains no others.
  const unlisted = imported.filter(({ snapshot }) => snapshot.lines === 0)
  const payoutByPayment = new Map(unlisted.map((payout) => [paymentKey(payout.snapshot), payout]))
  const matches = new Map<string, PayoutMatch>()
  for (const commission of paid) {
    const { externalId, affiliateId, currency } = commission
    const listed = payoutById.get(lines.get(externalId)?.id ?? '')
    const fits =
      listed?.snapshot.affiliateId === affiliateId &&
      listed.snapshot.currency === currency &&
      dateIn(listed.snapshot, 'paidAt') !== null
    if (listed && !fits) {
      const sentence = 'The payout that lists this commission has another affiliate or currency, or is not paid.'
      addNote(plan, 'commission', externalId, sentence)
    }
    const payout = fits ? listed : payoutByPayment.get(paymentKey(snapshotOf(commission)))
    if (!payout) continue
    const paidAt = dateIn(payout.snapshot, 'paidAt') ?? commission.paidAt
    const createdAt = dateIn(payout.snapshot, 'createdAt') ?? paidAt
    matches.set(externalId, { payoutId: payout.id, paidAt, createdAt })
  }
  return matches
}

export type Payment = PayoutMatch & { affiliateId: string; currency: string; amountCents: bigint }

/** Adds payments to the amounts of their payouts. The first payment of a payout creates its row. */
export function planPayoutRows(
  programId: string,
  rows: ReadonlyMap<string, Payout>,
  payments: readonly Payment[],
): RowWrites<Payout> {
  const after = new Map<string, Payout>()
  for (const { payoutId: id, paidAt, createdAt, affiliateId, currency, amountCents } of payments) {
    const none = { sentAt: null, failedAt: null, reference: null, paidById: null, dueNotedAt: null, isPayable: false }
    const fresh = { programId, id, affiliateId, currency, amountCents: 0n, paidAt, createdAt, ...none }
    const payout = after.get(id) ?? rows.get(id) ?? { ...fresh, updatedAt: paidAt }
    after.set(id, { ...payout, amountCents: payout.amountCents + amountCents })
  }
  const writes = noWrites<Payout>()
  for (const payout of after.values()) {
    const before = rows.get(payout.id)
    if (before) writes.updated.push({ before, after: payout })
    else writes.created.push(payout)
  }
  return writes
}
