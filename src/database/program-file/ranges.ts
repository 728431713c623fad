import { addUp, type Digest } from '../move/digest.ts'
import { type Query, quoted } from '../move/tables.ts'
import type { Base, Bucket, Range } from './format.ts'
import type { ProgramTable } from './tables.ts'

/** The fewest rows of a range, but for the last one of a table. */
const rangeRows = 1_000

/** Makes ranges of rows that come in the order of `place`. Rows with the same place are in one range. */
export function addToBuckets(table: ProgramTable) {
  const placeOf = (row: string): string[] => {
    const values = JSON.parse(row) as Record<string, unknown>
    return table.place.map(({ name }) => String(values[name]))
  }
  const buckets: Bucket[] = []
  let sums = addUp(table)
  let [count, from, last] = [0, [] as string[], '']
  const end = () => {
    if (count > 0) buckets.push({ from, to: placeOf(last), digest: sums.digest() })
    sums = addUp(table)
    count = 0
  }
  return {
    /** @param row the row as JSON */
    add(row: string, parts: readonly (string | null)[]): void {
      if (count >= rangeRows && placeOf(last).join() !== placeOf(row).join()) end()
      if (count === 0) from = placeOf(row)
      sums.add(parts)
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
export function withinRange({ place }: ProgramTable, range: string): string {
  if (place.length === 0) return `(${range}) is not null`
  const names = place.map(({ name }) => quoted(name)).join(', ')
  const values = (end: keyof Range) => place.map(({ type }, n) => `((${range})->'${end}'->>${n})::${type}`).join(', ')
  return `(${names}) >= (${values('from')}) and (${names}) <= (${values('to')})`
}

/** A value as JSON in SQL. */
export const jsonLiteral = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`

/**
 * The condition for rows of the base that nobody has changed since. Rows have the transaction that wrote them, in 32 bits; so the
 * base must not be older than 2^31 transactions. Those that ran when the base was read count as later ones, because their
 * savepoints have numbers of their own.
 */
export const isOfBase = ({ since }: Base): string =>
  `(age(xmin) > age('${BigInt(since) % 2n ** 32n}'::xid) or age(xmin) < 0)`

/** How many rows of each range are still as they were in the base. */
export async function countOfBase(
  query: Query,
  table: ProgramTable,
  { programId, base, buckets }: { programId: string; base: Base; buckets: readonly Bucket[] },
): Promise<string[]> {
  const ranges = buckets.map(({ from, to }) => ({ from, to }))
  const rows = await query<{ count: string }>(
    `select counted.count::text as count from jsonb_array_elements($1::jsonb) with ordinality ranges(range, n)
    cross join lateral (select count(*) as count from ${quoted(table.name)}
      where ${table.of(programId)} and ${withinRange(table, 'ranges.range')} and ${isOfBase(base)}) counted
    order by ranges.n`,
    [JSON.stringify(ranges)],
  )
  return rows.map(({ count }) => count)
}

/** What the rows of a table add up to when the base was written. */
export const digestOfBuckets = (buckets: readonly Bucket[]): { digest: Digest }[] =>
  buckets.map(({ digest }) => ({ digest }))
