import type { Payout } from '../../generated/prisma/client.ts'
import { recordChanges } from '../history/record.ts'
import { type Batch, type Known, note, readKnown, updateRows } from './batch.ts'
import { momentIn, storedFields } from './stored.ts'

/** A paid commission, as the source tells it. */
export type PaidRecord = {
  externalId: string
  affiliateId: string
  currency: string
  amountCents: bigint
  paidAt: Date
}

export type PaidIn = { payoutId: string; paidAt: Date; createdAt: Date }

/**
 * Which payout each paid commission is in: the one that names it; else one that names none, of the same affiliate, currency and
 * moment. A
 * payout and its commissions are paid at one instant, its own. What is in none was paid by itself.
 */
export async function findPaidIn(batch: Batch, records: readonly PaidRecord[]): Promise<Map<string, PaidIn>> {
  if (records.length === 0) return new Map()
  const lines = await readKnown(
    batch,
    'payout_line',
    records.map(({ externalId }) => externalId),
  )
  const payouts = await readPayouts(batch, lines, records)
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  const byMoment = new Map(payouts.filter(tellsNone).map((payout) => [momentKey(payout.seen), payout]))
  const found = new Map<string, PaidIn>()
  for (const record of records) {
    const named = byId.get(lines.get(record.externalId)?.id ?? '')
    const fits =
      named?.seen.affiliateId === record.affiliateId &&
      named.seen.currency === record.currency &&
      momentIn(named.seen, 'paidAt') !== null
    if (named && !fits)
      note(batch, 'commission', record.externalId, 'The payout it is in at the source is not its own.')
    const payout = fits ? named : byMoment.get(momentKey(storedFields(record)))
    if (!payout) continue
    const paidAt = momentIn(payout.seen, 'paidAt') ?? record.paidAt
    found.set(record.externalId, {
      payoutId: payout.id,
      paidAt,
      createdAt: momentIn(payout.seen, 'createdAt') ?? paidAt,
    })
  }
  return found
}

/** A payout that says which commissions it holds, holds no others. */
const tellsNone = ({ seen }: Known): boolean => seen.lines === 0

const momentKey = (seen: Known['seen']) => `${seen.affiliateId} ${seen.currency} ${seen.paidAt}`

async function readPayouts(batch: Batch, lines: Map<string, Known>, records: readonly PaidRecord[]): Promise<Known[]> {
  const { tx, ctx } = batch
  const ids = [...lines.values()].map(({ id }) => id)
  const moments = records
    .filter(({ externalId }) => !lines.has(externalId))
    .map(({ affiliateId, currency, paidAt }) => `${affiliateId} ${currency} ${paidAt.toISOString()}`)
  const rows = await tx.$queryRaw<Known[]>`
    select external_id as "externalId", id::text, seen from imported_records
    where program_id = ${ctx.program.id}::uuid and kind = 'payout' and not is_left_out and id is not null
      and (id = any(${ids}::uuid[]) or (${moments.length > 0} and seen->>'paidAt' is not null
        and concat_ws(' ', seen->>'affiliateId', seen->>'currency', seen->>'paidAt') = any(${moments})))
    order by external_id`
  return rows
}

export type Payment = PaidIn & { affiliateId: string; currency: string; amountCents: bigint }

/** Adds what was paid to the rows of its payouts; each is made with the first. */
export async function addToPayouts(batch: Batch, payments: readonly Payment[]): Promise<void> {
  if (payments.length === 0) return
  const { tx, ctx, now } = batch
  const programId = ctx.program.id
  const rows = await readPaidPayouts(batch, payments)
  const after = new Map<string, Payout>()
  for (const { payoutId, paidAt, createdAt, affiliateId, currency, amountCents } of payments) {
    const payout = after.get(payoutId) ??
      rows.get(payoutId) ?? {
        programId,
        id: payoutId,
        affiliateId,
        currency,
        amountCents: 0n,
        paidAt,
        reference: null,
        createdAt,
        updatedAt: paidAt,
      }
    after.set(payoutId, { ...payout, amountCents: payout.amountCents + amountCents })
  }
  const created = [...after.values()].filter(({ id }) => !rows.has(id))
  const grown = [...after.values()].filter(({ id }) => rows.has(id))
  await tx.payout.createMany({ data: created })
  await updateRows(batch, 'payouts', ['amountCents'], grown)
  await recordChanges(
    tx,
    ctx,
    [
      ...created.map((payout) => ({
        ...subject,
        subjectId: payout.id,
        action: 'imported',
        before: null,
        after: payout,
      })),
      ...grown.map((payout) => ({
        ...subject,
        subjectId: payout.id,
        action: 'amount_changed',
        before: { amountCents: rows.get(payout.id)?.amountCents },
        after: { amountCents: payout.amountCents },
      })),
    ],
    now,
  )
}

const subject = { subject: 'payout' } as const

/** The rows of these payouts that there are. */
export async function readPaidPayouts(
  { tx, ctx }: Batch,
  payments: readonly { payoutId: string }[],
): Promise<Map<string, Payout>> {
  const ids = [...new Set(payments.map(({ payoutId }) => payoutId))]
  const rows = await tx.payout.findMany({ where: { programId: ctx.program.id, id: { in: ids } } })
  return new Map(rows.map((row) => [row.id, row]))
}
