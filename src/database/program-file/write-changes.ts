import { readRows } from '../move/copy.ts'
import { addUp, combine, type Digest, digestOf, emptyDigest } from '../move/digest.ts'
import { keyText, type Query, quoted } from '../move/tables.ts'
import { OperatorError } from '../operator-error.ts'
import { type Base, type Bucket, fileKinds, formatVersion, type Header, type KeptRange } from './format.ts'
import { checkBase } from './moment.ts'
import { type Output, writeLines } from './output.ts'
import {
  type DigestedRow,
  digestOfBuckets,
  isOfBase,
  jsonLiteral,
  type Left,
  leftOfBase,
  missesRows,
  readLeft,
  withinRange,
} from './ranges.ts'
import { type ProgramTable, readProgramTables } from './tables.ts'
import { atOneMoment, rowAndParts, type WriteOptions, type Written } from './write.ts'

type ChangesOptions = WriteOptions & { base: Base; buckets: Record<string, Bucket[]> }

/** What of a table goes to the file: the rows with a condition, and the ranges that miss rows of the base. */
type Part = { table: ProgramTable; where: string; count: number; missing: Bucket[]; buckets: readonly Bucket[] }

/**
 * Writes what has changed since a file with all rows: rows that were inserted or updated, and where rows were deleted, the keys of
 * those that are left. The program is closed to writes, so that nothing changes after it.
 *
 * @throws OperatorError if the changes since the base cannot be found
 */
export async function writeChanges(query: Query, options: ChangesOptions): Promise<Written> {
  return await atOneMoment(query, async () => {
    await checkBase(query, options.base)
    const tables = await readProgramTables(query)
    const parts: Part[] = []
    for (const table of tables) parts.push(await findChanges(query, table, options))
    let digests: Record<string, Digest> = {}
    const bytes = await writeLines(options.file, async (output) => {
      digests = await writeParts(query, parts, options, output)
    })
    return { digests, rows: parts.reduce((sum, { count }) => sum + count, 0), bytes }
  })
}

async function findChanges(query: Query, table: ProgramTable, options: ChangesOptions): Promise<Part> {
  const { programId, base, buckets: all } = options
  const ofProgram = table.of(programId)
  const where = table.isReplacedWhole ? ofProgram : `${ofProgram} and not ${isOfBase(base)}`
  const [found] = await query<Left & { total: string }>(
    `select count(*)::text as total, ${leftOfBase(base)} from ${quoted(table.name)} where ${ofProgram}`,
  )
  const { total, ...left } = found as Left & { total: string }
  if (table.isReplacedWhole) return { table, where, count: Number(total), missing: [], buckets: [] }
  const buckets = all[table.name]
  if (!buckets) throw new OperatorError(`The base has no ${table.name}. Export a new base, and import that one.`)
  const before = {
    digest: combine(digestOfBuckets(buckets)),
    transactions: String(buckets.reduce((sum, { transactions }) => sum + BigInt(transactions), 0n)),
  }
  const count = Number(total) - Number(left.count)
  if (!missesRows(before, left)) return { table, where, count, missing: [], buckets }
  const lefts = await readLeft(query, table, { programId, base, buckets })
  const missing = buckets.filter((bucket, n) => missesRows(bucket, lefts[n] as Left))
  return { table, where, count, missing, buckets }
}

async function writeParts(
  query: Query,
  parts: readonly Part[],
  { programId, header, base, convert, onProgress }: ChangesOptions,
  { write, end }: Output,
): Promise<Record<string, Digest>> {
  const counted = parts.map(({ table: { name }, count, missing }) => ({ name, count, ranges: missing.length }))
  const complete: Header = { file: fileKinds.changes, format: formatVersion, ...header, base, tables: counted }
  await write(`${JSON.stringify(complete)}\n`)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const [digests, changed]: [Record<string, Digest>, Record<string, Digest>] = [{}, {}]
  let copied = 0
  for (const { table, where, count, missing, buckets } of parts) {
    const change = convert(table.name)
    const { add, digest } = addUp(table)
    if (count > 0)
      for await (const rows of readRows<DigestedRow>(query, table, {
        where,
        select: rowAndParts(table),
        order: [],
      })) {
        for (const { parts } of rows) add(parts)
        await write(`${rows.map(({ row }) => (change ? change(row) : row)).join('\n')}\n`)
        copied += rows.length
        onProgress({ table: table.name, copied, total })
      }
    const added = { digest: digest() }
    const all = [{ digest: emptyDigest(table) }, ...digestOfBuckets(buckets), added]
    for (const bucket of missing) {
      const left = `${table.of(programId)} and ${isOfBase(base)} and ${withinRange(table, jsonLiteral({ from: bucket.from, to: bucket.to }))}`
      const [kept] = await query<{ keys: string }>(
        `select coalesce(json_agg(${keyText(table)}), '[]')::text as keys from ${quoted(table.name)} where ${left}`,
      )
      const range: KeptRange = { from: bucket.from, to: bucket.to, kept: JSON.parse(kept?.keys ?? '[]') }
      await write(`${JSON.stringify(range)}\n`)
      all.push({ digest: await digestOf(query, table, { where: left, without: table.own }) })
    }
    const gone = missing.map(({ digest }) => ({ digest, sign: -1 as const }))
    digests[table.name] = combine([...all, ...gone])
    changed[table.name] = added.digest
  }
  end({ digests, changed })
  return digests
}
