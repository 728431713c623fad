import { columnsOf, jsonOf } from '../../database/client/write.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { ChangeSubject, ImportKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { snakeCase, storableText } from '../../kernel/text.ts'
import type { ChangeAction } from '../history/actions.ts'
import { recordChanges } from '../history/record.ts'
import type { BatchPlan, ImportedRecord, RowWrites } from './plan.ts'
import type { Snapshot } from './snapshot.ts'

/** Records of one kind in one transaction: read, plan, write, in a fixed number of statements. */
export type Batch = BatchPlan & {
  tx: Prisma.TransactionClient
  ctx: ProgramCtx
  /** The rows of paid payouts that were written, by id. */
  payouts: Map<string, 'created' | 'updated'>
}

export const newBatch = (
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { madeProgram }: { madeProgram: boolean },
): Batch => ({
  tx,
  ctx,
  madeProgram,
  now: ctx.now(),
  results: new Map(),
  records: new Map(),
  notes: new Map(),
  payouts: new Map(),
})

/** Finds the records among these ids of the source that have a row here. */
export async function findImported(
  { tx, ctx }: Batch,
  kind: ImportKind,
  externalIds: readonly (string | null | undefined)[],
): Promise<Map<string, ImportedRecord>> {
  const given = [...new Set(externalIds.filter((id) => id !== undefined && id !== null))]
  if (given.length === 0) return new Map()
  const where = { programId: ctx.program.id, kind, externalId: { in: given }, id: { not: null } }
  const rows = await tx.importedRecord.findMany({ where, select: { externalId: true, id: true, seen: true } })
  return new Map(
    rows.flatMap(({ externalId, id, seen }) =>
      id === null ? [] : [[externalId, { externalId, id, snapshot: seen as Snapshot }] as const],
    ),
  )
}

export const idsOf = (imported: ReadonlyMap<string, { id: string }>): string[] =>
  [...imported.values()].map(({ id }) => id)

export const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))

/** Completes the results with their notes, and writes all records of the batch in one statement. */
export async function saveRecords({ tx, ctx, now, records, results, notes }: Batch): Promise<void> {
  for (const [key, sentences] of notes) {
    const result = results.get(key)
    if (result) result.message = sentences.join(' ')
  }
  const rows = [...records].map(([key, { kind, externalId, id, snapshot }]) => ({
    program_id: ctx.program.id,
    kind,
    external_id: externalId,
    id,
    seen: snapshot,
    is_left_out: results.get(key)?.outcome === 'left_out',
    note: notes.get(key)?.join(' ') ?? null,
    seen_at: now,
  }))
  if (rows.length === 0) return
  const json = JSON.stringify(rows, (_key, value) => (typeof value === 'string' ? storableText(value) : value))
  // A record that was imported before keeps its row and snapshot, even when it is invalid now.
  await tx.$executeRaw`
    insert into imported_records as known (program_id, kind, external_id, id, seen, is_left_out, note, seen_at)
    select program_id, kind, external_id, id, seen, is_left_out, note, seen_at
    from json_populate_recordset(null::imported_records, ${json}::json)
    on conflict (program_id, kind, external_id) do update set
      id = coalesce(excluded.id, known.id),
      seen = case when excluded.id is null and known.id is not null then known.seen else excluded.seen end,
      is_left_out = excluded.is_left_out, note = excluded.note, seen_at = excluded.seen_at`
}

export async function updateRows(
  { tx, ctx }: Batch,
  table: string,
  fields: readonly string[],
  rows: readonly { id: string }[],
): Promise<void> {
  if (rows.length === 0) return
  const json = jsonOf(rows.map(columnsOf))
  const name = Prisma.raw(`"${table}"`)
  const sets = Prisma.raw(fields.map((field) => `"${snakeCase(field)}" = given."${snakeCase(field)}"`).join(', '))
  await tx.$executeRaw`
    update ${name} changed set ${sets} from json_populate_recordset(null::${name}, ${json}::json) given
    where changed.program_id = ${ctx.program.id}::uuid and changed.id = given.id`
}

export const recordHistory = <Row extends object>(
  { tx, ctx, now }: Batch,
  { created, updated }: RowWrites<Row>,
  as: { subject: ChangeSubject; subjectId: (row: Row) => string; created?: ChangeAction; updated?: ChangeAction },
): Promise<void> => {
  const change = (action: ChangeAction, before: Row | null, after: Row) => {
    return { subject: as.subject, subjectId: as.subjectId(after), action, before, after }
  }
  const changes = [
    ...created.map((after) => change(as.created ?? 'created', null, after)),
    ...updated.map(({ before, after }) => change(as.updated ?? 'updated', before, after)),
  ]
  return recordChanges(tx, ctx, changes, now)
}
