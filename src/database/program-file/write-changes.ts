import { readRows } from '../move/copy.ts'
import { addUp, areEqual, combine, type Digest, digestOf } from '../move/digest.ts'
import { OperatorError } from '../operator-error.ts'
import { keyText, type Query, quoted } from '../tables.ts'
import { type Base, type Bucket, fileKinds, formatVersion, type Header, type KeptRange } from './format.ts'
import { checkBase, makeBase } from './moment.ts'
import { type Output, writeLines } from './output.ts'
import {
  addToBuckets,
  between,
  type DigestedRow,
  digestOfBuckets,
  isOfBase,
  jsonLiteral,
  type Left,
  leftOfBase,
  missesRows,
  type Now,
  readNow,
  withinRange,
} from './ranges.ts'
import { type ProgramTable, readProgramTables } from './tables.ts'
import { atOneMoment, readInPlace, rowAndParts, type WriteOptions, type Written } from './write.ts'

/** `isLast`: the program is closed to writes, so that nothing changes after it. */
type ChangesOptions = WriteOptions & { base: Base; buckets: Record<string, Bucket[]>; isLast: boolean }

/** What of a table goes to the file: the rows with a condition, and the ranges that miss rows of the base. */
type Part = {
  table: ProgramTable
  where: string
  count: number
  missing: Bucket[]
  buckets: readonly Bucket[]
  /** What there is now of each range, if there are later changes to find. */
  now: readonly Now[]
}

/**
 * Writes the changes since another file: inserted and updated rows, and where rows were deleted, the keys of the rest.
 * @throws OperatorError if the changes since the base cannot be found
 */
export async function writeChanges(query: Query, options: ChangesOptions): Promise<Written> {
  return await atOneMoment(query, async () => {
    await checkBase(query, options.base)
    const next = options.isLast ? undefined : await makeBase(query)
    const parts: Part[] = []
    for (const table of await readProgramTables(query)) parts.push(await findChanges(query, table, options))
    let digests: Record<string, Digest> = {}
    const bytes = await writeLines(options.file, options.key, async (output) => {
      digests = await writeParts(query, parts, { ...options, next }, output)
    })
    return { digests, rows: parts.reduce((sum, { count }) => sum + count, 0), bytes }
  })
}

async function findChanges(query: Query, table: ProgramTable, options: ChangesOptions): Promise<Part> {
  const { programId, base, buckets: all, isLast } = options
  const ofProgram = table.of(programId)
  const where = table.isReplacedWhole ? ofProgram : `${ofProgram} and not ${isOfBase(base)}`
  const [found] = await query<Left & { total: string }>(
    `select count(*)::text as total, ${leftOfBase(base)} from ${quoted(table.name)} where ${ofProgram}`,
  )
  const { total, ...left } = found as Left & { total: string }
  if (table.isReplacedWhole) return { table, where, count: Number(total), missing: [], buckets: [], now: [] }
  const buckets = all[table.name]
  if (!buckets) throw new OperatorError(`The base has no ${table.name}. Export a new base, and import that one.`)
  const before = {
    digest: digestOfBuckets(table, buckets),
    transactions: String(buckets.reduce((sum, { transactions }) => sum + BigInt(transactions), 0n)),
  }
  const count = Number(total) - Number(left.count)
  if (!missesRows(before, left) && isLast) return { table, where, count, missing: [], buckets, now: [] }
  const now = await readNow(query, table, { programId, base, buckets }, left)
  const missing = buckets.filter((bucket, n) => missesRows(bucket, now[n] as Now))
  return { table, where, count, missing, buckets, now }
}

async function writeParts(
  query: Query,
  parts: readonly Part[],
  { programId, header, base, next, convert, onProgress, rangeRows }: ChangesOptions & { next: Base | undefined },
  { write, end }: Output,
): Promise<Record<string, Digest>> {
  const counted = parts.map(({ table: { name }, count, missing }) => ({ name, count, ranges: missing.length }))
  const complete: Header = {
    file: fileKinds.changes,
    format: formatVersion,
    ...header,
    base,
    tables: counted,
    ...(next && { next }),
  }
  await write(`${JSON.stringify(complete)}\n`)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const [digests, changed]: [Record<string, Digest>, Record<string, Digest>] = [{}, {}]
  const buckets: Record<string, Bucket[]> = {}
  let copied = 0
  for (const part of parts) {
    const { table, where, count, missing } = part
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
    const all = [{ digest: digestOfBuckets(table, part.buckets) }, added]
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
    const whole = combine([...all, ...gone])
    digests[table.name] = whole
    changed[table.name] = added.digest
    if (!next || table.isReplacedWhole) continue
    const made = await makeBuckets(query, part, programId, rangeRows)
    if (!areEqual(digestOfBuckets(table, made), whole))
      throw new Error(`The ranges of ${table.name} do not add up to its rows.`)
    buckets[table.name] = made
  }
  end({ digests, changed, ...(next && { buckets }) })
  return digests
}

/** The current ranges of a table. Unchanged ones stay; the rows of others are read again. */
async function makeBuckets(
  query: Query,
  { table, buckets, now }: Part,
  programId: string,
  rangeRows: number | undefined,
): Promise<Bucket[]> {
  const isSame = now.map(({ total, count, transactions }, n) => {
    const bucket = buckets[n]
    return bucket?.digest.count === total && bucket.digest.count === count && bucket.transactions === transactions
  })
  const made: Bucket[] = []
  for (let n = 0; n < now.length; n += 1) {
    if (isSame[n]) {
      made.push(buckets[n] as Bucket)
      continue
    }
    const from = n === 0 ? undefined : buckets[n]?.from
    while (n + 1 < now.length && !isSame[n + 1]) n += 1
    const ranges = addToBuckets(table, rangeRows)
    const where = `${table.of(programId)} and ${between(table, from, buckets[n + 1]?.from)}`
    for await (const rows of readInPlace(query, table, where)) for (const row of rows) ranges.add(row)
    made.push(...ranges.end())
  }
  return made
}
