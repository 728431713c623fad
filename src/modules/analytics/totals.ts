import type { ProgramCtx } from '../../kernel/context.ts'
import { type Comparison, comparedWith, readBuckets } from './buckets.ts'
import { sumsOf } from './facts.ts'
import type { Interval } from './intervals.ts'
import { type Kind, kinds } from './metrics.ts'
import type { Analytics } from './service.ts'

/** The number of facts of each kind, and the sum of their amounts in minor units of the currency. */
export type Totals = Record<Kind, { count: bigint; amount: bigint }>

/** Reads the totals of a query without a dimension, in one statement. */
export const readTotals = async (ctx: ProgramCtx, analytics: Analytics): Promise<Totals> =>
  (await readTotalsBy(ctx, analytics))(null)

/** Reads the totals of the time that a range is compared with. @throws INVALID_INPUT if it has too many intervals */
export const readComparedTotals = (ctx: ProgramCtx, analytics: Analytics, compared: Compared): Promise<Totals> =>
  readTotals(ctx, { ...analytics, ...comparedSpan(analytics, compared) })

type Compared = { compareTo: Comparison; interval: Interval }

/**
 * The time that a range is compared with. Of a range that is not over, only the same part of that time counts.
 * @throws INVALID_INPUT if the range has too many intervals
 */
export function comparedSpan(
  { query, timeZone, from, to }: Analytics,
  { compareTo, interval }: Compared,
): Pick<Analytics, 'from' | 'to'> {
  const elapsed = { from, to: Math.max(from + 1, Math.min(to, query.now.getTime() + 1)) }
  const spans = comparedWith(readBuckets(elapsed, interval, timeZone), interval, compareTo, timeZone)
  const [first, last] = [spans[0], spans.at(-1)]
  return first && last ? { from: first.from, to: last.to } : elapsed
}

/** Reads the totals for each key of the query's dimension. Without a dimension the only key is null. */
export async function readTotalsBy(
  { db }: ProgramCtx,
  { query, from, to }: Analytics,
): Promise<(key: string | null) => Totals> {
  const rows = await db.$queryRaw<{ key: string | null; kind: Kind; count: string; amount: string }[]>`
    select key, kind::text, sum(count)::text as count, sum(amount)::text as amount
    from (${sumsOf(query, kinds, [{ from, to }])}) sums group by key, kind`
  const zero = { count: 0n, amount: 0n }
  return (key) => {
    const rowsOfKey = rows.filter((row) => row.key === key)
    const byKind = new Map(
      rowsOfKey.map(({ kind, count, amount }) => [kind, { count: BigInt(count), amount: BigInt(amount) }]),
    )
    return Object.fromEntries(kinds.map((kind) => [kind, byKind.get(kind) ?? zero])) as Totals
  }
}
