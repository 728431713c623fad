import { conditionOf, isTransactionId, keyText, orderOf, type Query, quoted, type Table } from '../tables.ts'
import { areEqual, digestOf } from './digest.ts'

/** Rows of one statement, and of one commit of the target. */
const batchRows = 1_000

/** The key of the last row that an earlier move copied, or null. 'changed' if its rows differ. */
export async function findCopied(source: Query, target: Query, table: Table): Promise<string[] | null | 'changed'> {
  const descending = orderOf(table).map((column) => `${column} desc`)
  const [last] = await target<{ key: string[] }>(
    `select ${keyText(table)} as key from ${quoted(table.name)} order by ${descending.join(', ')} limit 1`,
  )
  if (!last) return null
  const [ours, theirs] = [await digestOf(source, table, { upTo: last.key }), await digestOf(target, table)]
  return areEqual(ours, theirs) ? last.key : 'changed'
}

/** Copies the rows after a key, in the order of the primary key. @param onCopied called after each commit */
export async function copyRows(
  source: Query,
  target: Query,
  table: Table,
  after: readonly string[] | null,
  onCopied: (rows: number) => void,
): Promise<void> {
  await source('begin')
  try {
    const part = after ? { where: conditionOf(table, '>'), values: after } : { where: 'true' }
    for await (const rows of readRows(source, table, part)) {
      await insertRows(
        target,
        table,
        rows.map(({ row }) => row),
      )
      onCopied(rows.length)
    }
  } finally {
    await source('rollback')
  }
}

/**
 * Reads rows in the order of the primary key, some at a time, with a cursor of the open transaction.
 * @param where a condition in SQL
 * @param select what is read of the row `t`, by default the row as JSON
 */
export async function* readRows<Row = { row: string }>(
  source: Query,
  table: Table,
  {
    where,
    values,
    select = 'to_jsonb(t)::text as row',
    order = orderOf(table),
  }: { where: string; values?: readonly string[]; select?: string; order?: readonly string[] },
): AsyncGenerator<Row[]> {
  await source(
    `declare copied no scroll cursor for select ${select} from ${quoted(table.name)} t
     where ${where} ${order.length > 0 ? `order by ${order.join(', ')}` : ''}`,
    values,
  )
  for (;;) {
    const rows = await source<Row>(`fetch ${batchRows} from copied`)
    if (rows.length === 0) break
    yield rows
  }
  await source('close copied')
}

/** Inserts rows that were read as JSON. @param withSequences whether columns with a sequence keep their values */
export async function insertRows(
  target: Query,
  table: Table,
  rows: readonly string[],
  { withSequences = true } = {},
): Promise<void> {
  const columns = table.columns.filter(({ hasSequence }) => withSequences || !hasSequence)
  const values = columns.map((column) => (isTransactionId(column) ? 'pg_current_xact_id()' : quoted(column.name)))
  await target(
    `insert into ${quoted(table.name)} (${columns.map(({ name }) => quoted(name)).join(', ')})
    select ${values.join(', ')} from jsonb_populate_recordset(null::${quoted(table.name)}, $1::jsonb)`,
    [`[${rows.join(',')}]`],
  )
}

export async function setSequences(target: Query, { name, columns }: Table): Promise<void> {
  for (const column of columns.filter(({ hasSequence }) => hasSequence))
    await target(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column.name)}), 0) + 1, false)::text from ${quoted(name)}`,
      [quoted(name), column.name],
    )
}
