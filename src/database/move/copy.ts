import { areEqual, digestOf } from './digest.ts'
import { conditionOf, isTransactionId, keyText, orderOf, type Query, quoted, type Table } from './tables.ts'

/** Rows of one statement, and of one commit of the target. */
const batchRows = 1_000

/**
 * The key of the last row that an earlier move has copied; null if there is none.
 *
 * @returns 'changed' if the rows up to it are not those of the source any more
 */
export async function findCopied(source: Query, target: Query, table: Table): Promise<string[] | null | 'changed'> {
  const descending = orderOf(table).map((column) => `${column} desc`)
  const [last] = await target<{ key: string[] }>(
    `select ${keyText(table)} as key from ${quoted(table.name)} order by ${descending.join(', ')} limit 1`,
  )
  if (!last) return null
  const [ours, theirs] = [await digestOf(source, table, last.key), await digestOf(target, table)]
  return areEqual(ours, theirs) ? last.key : 'changed'
}

/**
 * Copies the rows after a key, in the order of the primary key, so that what is there is always a part from the start.
 *
 * @param onCopied called after each commit with its number of rows
 */
export async function copyRows(
  source: Query,
  target: Query,
  table: Table,
  after: readonly string[] | null,
  onCopied: (rows: number) => void,
): Promise<void> {
  const columns = table.columns.map(({ name }) => quoted(name))
  const values = table.columns.map((column) => (isTransactionId(column) ? 'pg_current_xact_id()' : quoted(column.name)))
  const insert = `insert into ${quoted(table.name)} (${columns.join(', ')})
    select ${values.join(', ')} from jsonb_populate_recordset(null::${quoted(table.name)}, $1::jsonb)`
  await source('begin')
  try {
    await source(
      `declare moved no scroll cursor for select to_jsonb(t)::text as row from ${quoted(table.name)} t
       ${after ? `where ${conditionOf(table, '>')}` : ''} order by ${orderOf(table).join(', ')}`,
      after ?? undefined,
    )
    for (;;) {
      const rows = await source<{ row: string }>(`fetch ${batchRows} from moved`)
      if (rows.length === 0) break
      await target(insert, [`[${rows.map(({ row }) => row).join(',')}]`])
      onCopied(rows.length)
    }
  } finally {
    await source('rollback')
  }
}

/** Sets the sequences behind the largest values of their columns. */
export async function setSequences(target: Query, { name, columns }: Table): Promise<void> {
  for (const column of columns.filter(({ hasSequence }) => hasSequence))
    await target(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column.name)}), 0) + 1, false)::text from ${quoted(name)}`,
      [quoted(name), column.name],
    )
}
