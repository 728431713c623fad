import { enterProgram } from '../client/row-security.ts'
import { insertRows } from '../move/copy.ts'
import { areEqual, type Digest, digestOf, emptyDigest } from '../move/digest.ts'
import { OperatorError } from '../operator-error.ts'
import { isTransactionId, type Query, quoted } from '../tables.ts'
import type { Header, Trailer } from './format.ts'
import {
  beginImport,
  type Imported,
  type ImportOptions,
  inTransaction,
  type NotedBase,
  noteBase,
  readAgain,
} from './import.ts'
import { withinRange } from './ranges.ts'
import { notCompared, type ProgramTable } from './tables.ts'
import { parked } from './unique-values.ts'

/** Deleted after the rows that pointed to them were updated. Others go first: new rows may need their values. */
const deletedLast: readonly string[] = ['campaigns', 'payouts']

/**
 * Brings a base to the state of its source, in one transaction, and compares it with the source: each row is of an
 * earlier import, which was compared then, or of this transaction. The base stays open to further changes if the
 * program was open when they were read.
 * @throws OperatorError as importProgram, or if the program is not what the base was
 */
export async function applyChanges(query: Query, options: ImportOptions, noted: NotedBase): Promise<Imported> {
  const { inspected, role, finish } = options
  const { header, trailer } = inspected
  const { program, next } = header
  return await inTransaction(query, async () => {
    const all = await beginImport(query, header)
    const tables = next ? all.filter(({ isNumberedAnew }) => !isNumberedAnew) : all
    await lockBase(query, program.id, noted)
    const rows = await stageRows(query, tables, options)
    if (role !== null) await query(enterProgram, [role, program.id])
    await merge(query, tables, program.id)
    const digests = await compare(query, { header, trailer, tables, noted })
    if (next) await noteBase(query, program.id, next, noted.transactions)
    await finish(query)
    return { header, digests, rows }
  })
}

/** Brings the rows and ranges of the file into tables of the transaction. @returns how many rows there are */
async function stageRows(query: Query, tables: readonly ProgramTable[], options: ImportOptions): Promise<number> {
  const { file, inspected, role, convert, onProgress } = options
  const total = inspected.header.tables.reduce((sum, { count }) => sum + count, 0)
  let copied = 0
  // History and money can be deleted and changed only with these settings, which end with the transaction.
  for (const setting of ['deletes_program', 'erases_person'])
    await query(`select set_config('tributary.${setting}', 'on', true)`)
  await query('create temp table program_file_ranges (name text, n int, range jsonb) on commit drop')
  for (const table of tables) await createStage(query, table)
  for await (const part of readAgain(file, inspected)) {
    const table = 'table' in part && tables.find(({ name }) => name === part.table)
    if (!('table' in part && table)) continue
    if ('ranges' in part) {
      await query(
        `insert into program_file_ranges select $1, n, range from jsonb_array_elements($2::jsonb) with ordinality ranges(range, n)`,
        [table.name, `[${part.ranges.join(',')}]`],
      )
      continue
    }
    const change = convert(table.name)
    const rows = change ? part.rows.flatMap((row) => change(row) ?? []) : part.rows
    if (rows.length > 0) await insertRows(query, { ...table, name: staged(table) }, rows)
    copied += part.rows.length
    onProgress({ table: table.name, copied, total })
  }
  for (const table of tables) {
    await query(`create index on ${quoted(staged(table))} (${table.key.map(({ name }) => quoted(name)).join(', ')})`)
    await query(`analyze ${quoted(staged(table))}`)
  }
  const temporary = [...tables.flatMap((table) => [staged(table), gone(table)]), 'program_file_ranges']
  if (role !== null)
    await query(`grant select, insert on ${temporary.map(quoted).join(', ')} to ${quoted(role.replaceAll('"', '""'))}`)
  return copied
}

/** Two imports of the same changes would not see each other. */
async function lockBase(query: Query, programId: string, { id }: NotedBase): Promise<void> {
  const [found] = await query<{ id: string | null }>(
    `select base->>'id' as id from programs where id = $1::uuid for update`,
    [programId],
  )
  if (found?.id !== id) throw new OperatorError('Another command has imported changes of the program meanwhile.')
}

const staged = ({ name }: ProgramTable) => `new_${name}`
const gone = ({ name }: ProgramTable) => `gone_${name}`

async function createStage(query: Query, table: ProgramTable): Promise<void> {
  await query(`create temp table ${quoted(staged(table))} (like public.${quoted(table.name)}) on commit drop`)
  await query(
    `create temp table ${quoted(gone(table))} on commit drop as
    select ${table.key.map(({ name }) => quoted(name)).join(', ')} from ${quoted(table.name)} limit 0`,
  )
}

const sameKey = ({ key }: ProgramTable, one: string, other: string) =>
  key.map(({ name }) => `${one}.${quoted(name)} = ${other}.${quoted(name)}`).join(' and ')

async function merge(query: Query, tables: readonly ProgramTable[], programId: string): Promise<void> {
  const reversed = tables.toReversed()
  for (const table of tables) {
    await findGone(query, table, programId)
    await park(query, table)
  }
  for (const table of reversed) if (!deletedLast.includes(table.name)) await deleteGone(query, table)
  for (const table of tables) {
    if (!table.isReplacedWhole) await updateRows(query, table)
    await insertNew(query, table)
  }
  for (const table of reversed) if (deletedLast.includes(table.name)) await deleteGone(query, table)
}

/** Finds the rows that the source has no more, in the ranges that miss some. */
async function findGone(query: Query, table: ProgramTable, programId: string): Promise<void> {
  const columns = table.key.map(({ name }) => `t.${quoted(name)}`).join(', ')
  const into = `insert into ${quoted(gone(table))} select ${columns} from ${quoted(table.name)} t where ${table.of(programId)}`
  if (table.isReplacedWhole) {
    await query(into)
    return
  }
  const ranges = await query<{ range: string }>(
    'select range::text as range from program_file_ranges where name = $1',
    [table.name],
  )
  const kept = table.key.map(({ name, type }, n) => `(k->>${n})::${type} = t.${quoted(name)}`).join(' and ')
  for (const { range } of ranges) {
    const { from, to } = JSON.parse(range)
    await query(
      `${into} and ${withinRange(table, '$1::jsonb')}
        and not exists (select from jsonb_array_elements($2::jsonb->'kept') kept(k) where ${kept})
        and not exists (select from ${quoted(staged(table))} s where ${sameKey(table, 's', 't')})`,
      [JSON.stringify({ from, to }), range],
    )
  }
}

/** Frees the unique values of rows that are changed or deleted, because rows may have exchanged them. */
async function park(query: Query, table: ProgramTable): Promise<void> {
  const columns = Object.entries(parked[table.name] ?? {})
  if (columns.length === 0) return
  const values = columns.map(([column, value]) => `${quoted(column)} = ${value}`)
  const differs = columns.map(([column]) => `t.${quoted(column)} is distinct from k.${quoted(column)}`)
  for (const [keys, condition] of [
    [staged(table), `(${differs.join(' or ')})`],
    [gone(table), 'true'],
  ] as const)
    await query(
      `update ${quoted(table.name)} t set ${values.join(', ')} from ${quoted(keys)} k where ${sameKey(table, 'k', 't')} and ${condition}`,
    )
}

/** Only if there are rows to delete: of money and history, statements are rejected, not rows. */
async function deleteGone(query: Query, table: ProgramTable): Promise<void> {
  const [found] = await query<object>(`select from ${quoted(gone(table))} limit 1`)
  if (found)
    await query(`delete from ${quoted(table.name)} t using ${quoted(gone(table))} k where ${sameKey(table, 'k', 't')}`)
}

/** Updates only rows that differ: history and money reject a statement that changes any row. */
async function updateRows(query: Query, table: ProgramTable): Promise<void> {
  const columns = table.columns.filter(
    (column) => !isTransactionId(column) && !table.key.some(({ name }) => name === column.name),
  )
  if (columns.length === 0) return
  const valuesOf = (row: string) => `row(${columns.map(({ name }) => `${row}.${quoted(name)}`).join(', ')})`
  const changed = `${quoted(staged(table))} s where ${sameKey(table, 's', 't')} and ${valuesOf('t')} is distinct from ${valuesOf('s')}`
  const [found] = await query<object>(`select from ${quoted(table.name)} t, ${changed} limit 1`)
  const set = columns.map(({ name }) => `${quoted(name)} = s.${quoted(name)}`)
  if (found) await query(`update ${quoted(table.name)} t set ${set.join(', ')} from ${changed}`)
}

async function insertNew(query: Query, table: ProgramTable): Promise<void> {
  const columns = table.columns.filter(({ hasSequence }) => !hasSequence).map(({ name }) => quoted(name))
  const isNew = table.isReplacedWhole
    ? 'true'
    : `not exists (select from ${quoted(table.name)} t where ${sameKey(table, 't', 's')})`
  await query(
    `insert into ${quoted(table.name)} (${columns.join(', ')})
    select ${columns.join(', ')} from ${quoted(staged(table))} s where ${isNew}`,
  )
}

type Compared = { header: Header; trailer: Trailer; tables: readonly ProgramTable[]; noted: NotedBase }

async function compare(query: Query, { header, trailer, tables, noted }: Compared): Promise<Record<string, Digest>> {
  const { digests, changed = {} } = trailer.end
  const isOurs = 'xmin = pg_current_xact_id()::xid'
  for (const table of tables) {
    if (notCompared.includes(table.name)) continue
    const ofProgram = table.of(header.program.id)
    const isInFile = table.isReplacedWhole
      ? isOurs
      : `exists (select from ${quoted(staged(table))} s where ${sameKey(table, 's', 't')})`
    const [found] = await query<{ total: string; known: string }>(
      `select count(*)::text as total, count(*) filter (
        where xmin = any ('{${noted.transactions}}'::xid[]) or (${isOurs} and ${isInFile}))::text as known
      from ${quoted(table.name)} t where ${ofProgram}`,
    )
    const { total, known } = found as { total: string; known: string }
    const [all, ours] = [digests[table.name], changed[table.name]]
    const rows =
      ours?.count === '0'
        ? emptyDigest(table)
        : await digestOf(query, table, { where: `${ofProgram} and ${isInFile}`, without: table.own })
    const isEqual = ours && all && total === all.count && areEqual(rows, ours)
    if (!isEqual || known !== total)
      throw new OperatorError(
        `The copy of ${table.name} is not that of the source: it has ${total} rows, the source ${all?.count}; ${rows.count} of them with checksum ${rows.checksum} are from this file, which has ${ours?.count} with ${ours?.checksum}. The base was changed here, or the database of the source was restored. Nothing was imported. Begin again: delete-program --program ${header.program.id} here, then export and import a new base.`,
      )
  }
  return digests
}
