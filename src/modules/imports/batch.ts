import { Prisma } from '../../generated/prisma/client.ts'
import type { ImportKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { RecordKind } from './input.ts'
import type { Seen } from './stored.ts'

export type Outcome = 'created' | 'updated' | 'unchanged' | 'left_out' | 'unresolved'

/** A record that something else names, which is not known here. */
export type Missing = { field: string; kind: RecordKind; externalId: string }

/** What came of one record. */
export type Result = {
  kind: RecordKind
  externalId: string
  outcome: Outcome
  field: string | null
  /** Why it was left out, or what of it could not be taken over as it was. */
  message: string | null
  missing: Missing[]
}

type Remembered = { kind: ImportKind; externalId: string; id: string | null; seen: Seen }

/** Records of one kind that are taken over in one transaction. */
export type Batch = {
  tx: Prisma.TransactionClient
  ctx: ProgramCtx
  now: Date
  dryRun: boolean
  /** The program was made for this import: its default campaign becomes the source's. */
  madeProgram: boolean
  results: Map<string, Result>
  remembered: Map<string, Remembered>
  /** What could not be taken over as it was, by record. */
  notes: Map<string, string[]>
}

export const newBatch = (
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { dryRun, madeProgram }: { dryRun: boolean; madeProgram: boolean },
): Batch => ({
  tx,
  ctx,
  dryRun,
  madeProgram,
  now: ctx.now(),
  results: new Map(),
  remembered: new Map(),
  notes: new Map(),
})

const keyOf = (kind: RecordKind, externalId: string) => `${kind} ${externalId}`

/** Says what came of a record, and which row it is here. */
export function tell(
  batch: Batch,
  kind: RecordKind,
  externalId: string,
  outcome: Outcome,
  { id = null, seen }: { id?: string | null; seen: Seen },
): void {
  const key = keyOf(kind, externalId)
  batch.results.set(key, { kind, externalId, outcome, field: null, message: null, missing: [] })
  batch.remembered.set(key, { kind, externalId, id, seen })
}

/** Says that something of a record could not be taken over as it was. */
export function note(batch: Batch, kind: RecordKind, externalId: string, sentence: string): void {
  const key = keyOf(kind, externalId)
  batch.notes.set(key, [...(batch.notes.get(key) ?? []), sentence])
}

/** Leaves a record out, and says why. */
export function leaveOut(
  batch: Batch,
  kind: RecordKind,
  externalId: string,
  problem: { field?: string; message: string },
  seen: Seen = {},
): void {
  tell(batch, kind, externalId, 'left_out', { seen })
  note(batch, kind, externalId, problem.message)
  const result = batch.results.get(keyOf(kind, externalId)) as Result
  result.field = problem.field ?? null
}

/** Says of a record that is here that it is not what it is at the source by now, and that somebody has to decide. */
export function leaveAsIs(batch: Batch, kind: RecordKind, externalId: string, sentence: string): void {
  const result = batch.results.get(keyOf(kind, externalId))
  if (result) result.outcome = 'left_out'
  note(batch, kind, externalId, sentence)
}

const words: Record<RecordKind, string> = {
  campaign: 'Campaign',
  affiliate: 'Affiliate',
  affiliate_link: 'Affiliate link',
  affiliate_coupon: 'Affiliate coupon',
  referral: 'Referral',
  payout: 'Payout',
  commission: 'Commission',
  sale: 'Sale',
}

/**
 * Leaves a record out because of what it names. In a dry run nothing that it names may be there, as nothing was written:
 * whoever asked knows what they sent before, and decides.
 */
export function leaveOutUnresolved(
  batch: Batch,
  kind: RecordKind,
  externalId: string,
  missing: Missing[],
  seen: Seen,
): void {
  if (batch.dryRun) {
    batch.results.set(keyOf(kind, externalId), {
      kind,
      externalId,
      outcome: 'unresolved',
      field: null,
      message: null,
      missing,
    })
    return
  }
  const message = missing.map((one) => `${words[one.kind]} ${one.externalId} was not imported.`).join(' ')
  leaveOut(batch, kind, externalId, { message, ...(missing[0] && { field: missing[0].field }) }, seen)
}

export type Known = { externalId: string; id: string; seen: Seen }

/** Those of these records that are known here, by their ids at the source. */
export async function readKnown(
  { tx, ctx }: Batch,
  kind: ImportKind,
  externalIds: readonly (string | null | undefined)[],
): Promise<Map<string, Known>> {
  const given = [...new Set(externalIds.filter((id) => id !== undefined && id !== null))]
  if (given.length === 0) return new Map()
  const where = { programId: ctx.program.id, kind, externalId: { in: given }, id: { not: null } }
  const rows = await tx.importedRecord.findMany({ where, select: { externalId: true, id: true, seen: true } })
  return new Map(rows.map((row) => [row.externalId, row as Known]))
}

/** What PostgreSQL can not store, in the words of a source, becomes a sign that something was there. */
export const readable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()

/** Writes down what was seen of each record, in one statement. */
export async function remember({ tx, ctx, now, remembered, results, notes }: Batch): Promise<void> {
  for (const [key, sentences] of notes) {
    const result = results.get(key)
    if (result) result.message = sentences.join(' ')
  }
  const rows = [...remembered].map(([key, { kind, externalId, id, seen }]) => ({
    program_id: ctx.program.id,
    kind,
    external_id: externalId,
    id,
    seen,
    is_left_out: results.get(key)?.outcome === 'left_out',
    note: notes.get(key)?.join(' ') ?? null,
    seen_at: now,
  }))
  if (rows.length === 0) return
  const json = JSON.stringify(rows, (_key, value) => (typeof value === 'string' ? readable(value) : value))
  // What was taken over before stays the row it is, also where its record can not be read any more.
  await tx.$executeRaw`
    insert into imported_records as known (program_id, kind, external_id, id, seen, is_left_out, note, seen_at)
    select program_id, kind, external_id, id, seen, is_left_out, note, seen_at
    from json_populate_recordset(null::imported_records, ${json}::json)
    on conflict (program_id, kind, external_id) do update set
      id = coalesce(excluded.id, known.id),
      seen = case when excluded.id is null and known.id is not null then known.seen else excluded.seen end,
      is_left_out = excluded.is_left_out, note = excluded.note, seen_at = excluded.seen_at`
}

const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Sets these fields of rows, by id, in one statement. Every row gives all of the fields. */
export async function updateRows(
  { tx, ctx }: Batch,
  table: string,
  fields: readonly string[],
  rows: readonly { id: string }[],
): Promise<void> {
  if (rows.length === 0) return
  const records = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [toColumn(field), value])),
  )
  const json = JSON.stringify(records, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  const name = Prisma.raw(`"${table}"`)
  const sets = Prisma.raw(fields.map((field) => `"${toColumn(field)}" = given."${toColumn(field)}"`).join(', '))
  await tx.$executeRaw`
    update ${name} changed set ${sets} from json_populate_recordset(null::${name}, ${json}::json) given
    where changed.program_id = ${ctx.program.id}::uuid and changed.id = given.id`
}
