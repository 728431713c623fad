import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { giveWay } from '../../kernel/slices.ts'
import { bucketsOf, type Comparison, comparedWith, maxPoints } from './buckets.ts'
import { type FactsQuery, sumsOf } from './facts.ts'
import type { Interval } from './intervals.ts'
import { type Amount, evaluate, type Formula, formulas, kindsOf, type Metric, type Term } from './metrics.ts'
import type { Span } from './range.ts'
import type { Analytics } from './service.ts'

export type Point = { start: Date; label: string; amount: Amount; comparison: Amount | null; currency: string }
export type TimeSeries = { metric: Metric; interval: Interval; points: Point[] }

export type SeriesArgs = { metric: Metric; interval: Interval; compareTo?: Comparison | null | undefined }

/** Reads a metric for each interval that overlaps the range. @throws INVALID_INPUT if there are too many intervals */
export const readTimeSeries = async (ctx: ProgramCtx, analytics: Analytics, args: SeriesArgs): Promise<TimeSeries> =>
  (await readTimeSeriesBy(ctx, analytics, args))(null)

/** Reads a series for each key of the query's dimension. Without a dimension the only key is null. */
export async function readTimeSeriesBy(
  ctx: ProgramCtx,
  { query, timeZone, ...span }: Analytics,
  { metric, interval, compareTo }: SeriesArgs,
): Promise<(key: string | null) => TimeSeries> {
  // A query can ask for dozens of series, of a thousand points each.
  await giveWay()
  const buckets = bucketsOf(span, interval, timeZone)
  if (!buckets)
    throw invalid([
      problem('interval', `would give more than ${maxPoints} points: choose a longer interval or a shorter range`),
    ])
  const amounts = await readAmounts(ctx, query, metric, buckets)
  const earlierSpans = compareTo && comparedWith(buckets, interval, compareTo, timeZone)
  const compared = earlierSpans && (await readAmounts(ctx, query, metric, earlierSpans))
  const { currency } = query
  return (key) => {
    const [current, earlier] = [amounts(key), compared?.(key)]
    const points = buckets.map(({ start, label }, n) => {
      return { start: new Date(start), label, amount: current[n] as Amount, comparison: earlier?.[n] ?? null, currency }
    })
    return { metric, interval, points }
  }
}

/**
 * Reads one amount for each key and span. Spans may be equal (29 February is compared with the 28th), but not overlap.
 */
async function readAmounts(
  { db }: ProgramCtx,
  query: FactsQuery,
  metric: Metric,
  spans: readonly Span[],
): Promise<(key: string | null) => Amount[]> {
  const formula = formulas[metric]
  const distinct = spans.filter(({ from, to }, n) => from < to && from !== spans[n - 1]?.from)
  const rows = await db.$queryRaw<{ key: string | null; bucket: number; sum: string; divisor: string }[]>`
    select key, bucket, ${termsOf(formula)}
    from (${sumsOf(query, kindsOf(formula), distinct)}) sums group by key, bucket`
  return (key) => {
    const bySpanStart = new Map(rows.filter((row) => row.key === key).map((row) => [distinct[row.bucket]?.from, row]))
    return spans.map(({ from, to }) => {
      const row = from < to ? bySpanStart.get(from) : undefined
      return evaluate(formula, BigInt(row?.sum ?? 0), BigInt(row?.divisor ?? 0))
    })
  }
}

/** Selects `sum` and `divisor` of a formula from sums of facts, as text. */
export function termsOf({ sum, per }: Formula): Prisma.Sql {
  return Prisma.sql`${termOf(sum)}::text as sum, ${per ? Prisma.sql`${termOf(per)}::text` : Prisma.sql`'0'`} as divisor`
}

export const termOf = ({ kind, of }: Term): Prisma.Sql =>
  Prisma.raw(`coalesce(sum(${of}) filter (where kind = '${kind}'), 0)`)
