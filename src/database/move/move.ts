import { OperatorError } from '../operator-error.ts'
import { markerSchema, type Query, quoted, readTables, type Table } from '../tables.ts'
import { copyRows, findCopied, setSequences } from './copy.ts'
import { areEqual, type Digest, digestOf } from './digest.ts'

export type MoveProgress = { table: string; copied: number; total: number }

export type Moved = { tables: { name: string; digest: Digest }[]; rows: number }

/**
 * Marks an empty database as the target of a move, or finds the mark of an earlier move of the same source. Servers do
 * not start on a marked database.
 * @throws OperatorError if the target has data
 */
export async function markTarget(source: Query, target: Query): Promise<void> {
  const [identity] = await source<{ id: string }>('select system_identifier::text as id from pg_control_system()')
  const [found] = await target<{ isMarked: boolean; tables: number }>(
    `select to_regnamespace('${markerSchema}') is not null as "isMarked",
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')) as tables`,
  )
  if (!found?.isMarked) {
    if (found?.tables !== 0)
      throw new OperatorError('The target database is not empty. Create an empty database, and move into that one.')
    await target('begin')
    await target(`create schema ${markerSchema}`)
    await target(`create table ${markerSchema}.source as select '${identity?.id}' as id`)
    await target('commit')
    return
  }
  const [mark] = await target<{ id: string }>(`select id from ${markerSchema}.source`)
  if (mark?.id !== identity?.id)
    throw new OperatorError('The target database has an unfinished move of another database. Create an empty database.')
}

/** Copies all rows, or those after the last committed one. @throws OperatorError if the copy differs */
export async function copyAll(
  source: Query,
  target: Query,
  onProgress: (progress: MoveProgress) => void,
): Promise<Moved> {
  const tables = await readTables(target)
  await setTriggers(target, tables, 'disable')
  const after = new Map<Table, string[] | null>()
  for (const table of tables) {
    const found = await findCopied(source, target, table)
    if (found === 'changed') {
      await target(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
      after.clear()
      break
    }
    after.set(table, found)
  }
  const total = await countRows(source, tables)
  let copied = await countRows(target, tables)
  for (const table of tables) {
    onProgress({ table: table.name, copied, total })
    await copyRows(source, target, table, after.get(table) ?? null, (rows) => {
      copied += rows
      onProgress({ table: table.name, copied, total })
    })
    await setSequences(target, table)
  }
  return { tables: await compare(source, target, tables), rows: total }
}

/** Makes the target a normal database: its triggers run, and servers start on it. */
export async function unmarkTarget(target: Query): Promise<void> {
  const tables = await readTables(target)
  await target('begin')
  await setTriggers(target, tables, 'enable')
  await target(`drop schema ${markerSchema} cascade`)
  await target('commit')
  await target('analyze')
}

async function compare(source: Query, target: Query, tables: readonly Table[]): Promise<Moved['tables']> {
  const compared: Moved['tables'] = []
  for (const table of tables) {
    const [ours, theirs] = [await digestOf(source, table), await digestOf(target, table)]
    if (!areEqual(ours, theirs))
      throw new OperatorError(
        `The copy of ${table.name} differs: the source has ${ours.count} rows with checksum ${ours.checksum}, the target ${theirs.count} with ${theirs.checksum}. Is somebody writing to the target? Run the move again.`,
      )
    compared.push({ name: table.name, digest: ours })
  }
  return compared
}

async function countRows(query: Query, tables: readonly Table[]): Promise<number> {
  const counts = tables.map(({ name }) => `(select count(*) from ${quoted(name)})`)
  const [row] = await query<{ rows: string }>(`select (${counts.join(' + ')})::text as rows`)
  return Number(row?.rows)
}

/** What triggers keep is copied like everything else. */
async function setTriggers(target: Query, tables: readonly Table[], to: 'enable' | 'disable'): Promise<void> {
  // Some triggers are of partitions alone.
  const partitions = await target<{ name: string }>('select name::text from table_partitions')
  for (const { name } of [...tables, ...partitions]) await target(`alter table ${quoted(name)} ${to} trigger user`)
}
