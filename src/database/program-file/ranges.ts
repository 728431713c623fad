import { addUp, combine, type Digest, emptyDigest } from '../move/digest.ts'
import { OperatorError } from '../operator-error.ts'
import { type Query, quoted } from '../tables.ts'
import type { Base, Bucket } from './format.ts'
import type { ProgramTable } from './tables.ts'

/** The fewest rows of a range, but for the last one of a table. */
const manyRows = 1_000

/** A row as JSON, what it adds to the digest, and the transaction that wrote it. */
export type DigestedRow = { row: string; parts: string[]; writtenBy: string }

/** Makes ranges of rows that come in the order of `place`. Rows with the same place are in one range. */
export function addToBuckets(table: ProgramTable, rangeRows = manyRows) {
  const placeOf = (row: string): string[] => {
    const values = JSON.parse(row) as Record<string, unknown>
    return table.place.map(({ name }) => String(values[name]))
  }
  const buckets: Bucket[] = []
  let sums = addUp(table)
  let [count, from, last] = [0, [] as string[], '']
  let transactions = 0n
  const end = () => {
    if (count > 0) buckets.push({ from, to: placeOf(last), digest: sums.digest(), transactions: String(transactions) })
    sums = addUp(table)
    count = 0
    transactions = 0n
  }
  return {
    /** @param row the row as JSON */
    add({ row, parts, writtenBy }: DigestedRow): void {
      if (count >= rangeRows && placeOf(last).join() !== placeOf(row).join()) end()
      if (count === 0) from = placeOf(row)
      sums.add(parts)
      transactions += BigInt(writtenBy)
      count += 1
      last = row
    },
    end: (): Bucket[] => {
      end()
      return buckets
    },
  }
}

/** The condition for the rows of a range. @param range an expression in SQL, whose value is a range as JSON */
export function withinRange(table: ProgramTable, range: string): string {
  if (table.place.length === 0) return `(${range}) is not null`
  return `${placeOf(table)} >= ${placeAt(table, `(${range})->'from'`)} and ${placeOf(table)} <= ${placeAt(table, `(${range})->'to'`)}`
}

export const jsonLiteral = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`

/**
 * The condition for unchanged rows of the base. Rows have their transaction in 32 bits, so the base must not be older
 * than 2^31 transactions. Those that ran when the base was read count as later: their savepoints have other numbers.
 */
export const isOfBase = ({ since }: Base): string =>
  `(age(xmin) > age('${BigInt(since) % 2n ** 32n}'::xid) or age(xmin) < 0)`

/** How many rows are left of the base, and the sum of the transactions that wrote them, in SQL. */
export const leftOfBase = (base: Base): string =>
  `count(*) filter (where ${isOfBase(base)})::text as count,
    coalesce(sum(xmin::text::bigint) filter (where ${isOfBase(base)}), 0)::text as transactions`

export type Left = { count: string; transactions: string }

/** What is left of a range of the base, and how many rows there are now from its start to that of the next range. */
export type Now = Left & { total: string }

type Ranges = { programId: string; base: Base; buckets: readonly Bucket[] }

/** The content of each range of the base now. @param left how many rows of the base are left in all */
export async function readNow(query: Query, table: ProgramTable, ranges: Ranges, left: Left): Promise<Now[]> {
  const { buckets } = ranges
  const changed = await readEach(query, table, ranges, await findChanged(query, table, ranges))
  const now = Array.from(
    { length: Math.max(buckets.length, changed.size) },
    (_, n) => changed.get(n) ?? asBefore(buckets[n] as Bucket),
  )
  const sumOf = (column: keyof Left) => String(now.reduce((sum, one) => sum + BigInt(one[column]), 0n))
  if (sumOf('count') === left.count && sumOf('transactions') === left.transactions) return now
  const all = await readEach(query, table, ranges, [...buckets.keys()])
  return now.map((_, n) => all.get(n) as Now)
}

const asBefore = ({ digest: { count }, transactions }: Bucket): Now => ({ total: count, count, transactions })

async function findChanged(query: Query, table: ProgramTable, { programId, base, buckets }: Ranges): Promise<number[]> {
  const starts = `array(select ${placeAt(table, 'start')} from jsonb_array_elements($1::jsonb) with ordinality starts(start, n) order by n)`
  const isOnly = buckets.length < 2 || table.place.length === 0
  const found = await query<{ n: number }>(
    `select distinct ${isOnly ? '0' : `greatest(width_bucket(${placeOf(table)}, ${starts}), 1) - 1`} as n
    from ${quoted(table.name)} where ${table.of(programId)} and not ${isOfBase(base)}`,
    isOnly ? [] : [JSON.stringify(buckets.map(({ from }) => from))],
  )
  return found.map(({ n }) => n)
}

async function readEach(
  query: Query,
  table: ProgramTable,
  { programId, base, buckets }: Ranges,
  numbers: readonly number[],
): Promise<Map<number, Now>> {
  const last = buckets.length - 1
  const now = `count(*)::text as total, ${leftOfBase(base)} from ${quoted(table.name)} where ${table.of(programId)}`
  const found = new Map<number, Now>()
  const inner = numbers.filter((n) => n > 0 && n < last)
  if (inner.length > 0) {
    const within = (operator: string, end: string) =>
      `${placeOf(table)} ${operator} ${placeAt(table, `range->'${end}'`)}`
    const rows = await query<Now & { n: number }>(
      `select (range->>'n')::int as n, now.* from jsonb_array_elements($1::jsonb) range
      cross join lateral (select ${now} and ${within('>=', 'from')} and ${within('<', 'before')}) now`,
      [JSON.stringify(inner.map((n) => ({ n, from: buckets[n]?.from, before: buckets[n + 1]?.from })))],
    )
    for (const { n, ...one } of rows) found.set(n, one)
  }
  for (const n of numbers.filter((n) => n === 0 || n === last)) {
    const [one] = await query<Now>(
      `select ${now} and ${between(table, n === 0 ? undefined : buckets[n]?.from, buckets[n + 1]?.from)}`,
    )
    found.set(n, one as Now)
  }
  return found
}

const placeOf = ({ place }: ProgramTable) => `(${place.map(({ name }) => quoted(name)).join(', ')})`

/** A place in SQL. @param place an expression in SQL, whose value is the place as JSON */
const placeAt = (table: ProgramTable, place: string) =>
  `(${table.place.map(({ type }, n) => `((${place})->>${n})::${type}`).join(', ')})`

/** The condition for rows from the start of a range to that of another; undefined means the start or the end. */
export function between(table: ProgramTable, from: string[] | undefined, before: string[] | undefined): string {
  const compared = (operator: string, place: string[] | undefined) =>
    place && `${placeOf(table)} ${operator} ${placeAt(table, jsonLiteral(place))}`
  return [compared('>=', from), compared('<', before)].filter(Boolean).join(' and ') || 'true'
}

/**
 * Whether a range misses rows of the base. Rows are never added to the base, so if as many are left, all are.
 * @throws OperatorError if others wrote rows of the base: it is a base of another database, or of another past
 */
export function missesRows({ digest, transactions }: Pick<Bucket, 'digest' | 'transactions'>, left: Left): boolean {
  if (BigInt(left.count) < BigInt(digest.count)) return true
  if (left.count !== digest.count || left.transactions !== transactions)
    throw new OperatorError(
      'The rows are not those that the base was made of: it was written from another database, or this one was restored. Export a new base, and import that one.',
    )
  return false
}

export const digestOfBuckets = (table: ProgramTable, buckets: readonly Bucket[]): Digest =>
  combine([{ digest: emptyDigest(table) }, ...buckets])
