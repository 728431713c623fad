import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { giveWay } from '../../kernel/slices.ts'
import { type Comparison, comparedWith, readBuckets } from './buckets.ts'
import { sumsOf } from './facts.ts'
import type { Interval } from './intervals.ts'
import type { DimensionValue } from './labels.ts'
import { type Amount, evaluate, type Formula, formulas, kindsOf, type Metric, type Term } from './metrics.ts'
import type { Span } from './range.ts'
import type { Analytics } from './service.ts'

export type Point = { start: Date; label: string; amount: Amount; comparison: Amount | null; currency: string }
export type TimeSeries = { metric: Metric; interval: Interval; points: Point[]; groups: SeriesGroup[] }
/** The series of one value of a dimension, or of all values that have none of their own. */
export type SeriesGroup = DimensionValue & { isRest: boolean; points: Point[] }

export type SeriesArgs = { metric: Metric; interval: Interval; compareTo?: Comparison | null | undefined }

/** The sum and the divisor of a formula. */
export type Sums = { sum: bigint; divisor: bigint }
/** The sums of each bucket, and of the interval that it is compared with. */
export type SeriesSums = { current: Sums[]; earlier: Sums[] | undefined }
type ReadSums = (spans: readonly Span[]) => Promise<(key: string | null) => Sums[]>

/** Reads a metric for each interval that overlaps the range. @throws INVALID_INPUT if there are too many intervals */
export const readTimeSeries = async (ctx: ProgramCtx, analytics: Analytics, args: SeriesArgs): Promise<TimeSeries> =>
  (await readTimeSeriesBy(ctx, analytics, args))(null)

/** Reads a series for each key of the query's dimension. Without a dimension the only key is null. */
export async function readTimeSeriesBy(
  ctx: ProgramCtx,
  analytics: Analytics,
  args: SeriesArgs,
): Promise<(key: string | null) => TimeSeries> {
  const { query } = analytics
  const read: ReadSums = (spans) =>
    readSums(ctx, args.metric, spans, (distinct) => sumsOf(query, kindsOf(formulas[args.metric]), distinct))
  const { sums, pointsOf } = await readBucketSums(analytics, args, read)
  return (key) => ({ metric: args.metric, interval: args.interval, points: pointsOf(sums(key)), groups: [] })
}

/**
 * Reads the sums of the buckets of a series, and of what they are compared with.
 * @returns them for each key, and what makes points of them
 */
export async function readBucketSums(
  { query: { currency }, timeZone, ...span }: Analytics,
  { metric, interval, compareTo }: SeriesArgs,
  read: ReadSums,
): Promise<{ sums: (key: string | null) => SeriesSums; pointsOf: (sums: SeriesSums) => Point[] }> {
  // A query can ask for dozens of series, of a thousand points each.
  await giveWay()
  const buckets = readBuckets(span, interval, timeZone)
  const current = await read(buckets)
  const earlier = compareTo && (await read(comparedWith(buckets, interval, compareTo, timeZone)))
  const amountOf = ({ sum, divisor }: Sums) => evaluate(formulas[metric], sum, divisor)
  return {
    sums: (key) => ({ current: current(key), earlier: earlier?.(key) }),
    pointsOf: (sums) =>
      buckets.map(({ start, label }, n) => {
        const before = sums.earlier?.[n]
        const comparison = before ? amountOf(before) : null
        return { start: new Date(start), label, amount: amountOf(sums.current[n] as Sums), comparison, currency }
      }),
  }
}

/**
 * Reads the sums of a metric for each key and span. Spans may be equal (29 February is compared with the 28th), or
 * empty (a day that a zone skipped at the date line), but not overlap.
 */
export async function readSums(
  { db }: ProgramCtx,
  metric: Metric,
  spans: readonly Span[],
  facts: (spans: readonly Span[]) => Prisma.Sql,
): Promise<(key: string | null) => Sums[]> {
  const distinct = spans.filter(({ from, to }) => from < to).filter(({ from }, n, all) => from !== all[n - 1]?.from)
  const rows = await db.$queryRaw<{ key: string | null; bucket: number; sum: string; divisor: string }[]>`
    select key, bucket, ${termsOf(formulas[metric])} from (${facts(distinct)}) sums group by key, bucket`
  const byKey = new Map<string | null, Map<number | undefined, Sums>>()
  for (const { key, bucket, sum, divisor } of rows) {
    const bySpanStart = byKey.get(key) ?? new Map()
    byKey.set(key, bySpanStart.set(distinct[bucket]?.from, { sum: BigInt(sum), divisor: BigInt(divisor) }))
  }
  return (key) => spans.map(({ from, to }) => (from < to ? byKey.get(key)?.get(from) : undefined) ?? noSums)
}

const noSums: Sums = { sum: 0n, divisor: 0n }

/** Selects `sum` and `divisor` of a formula from sums of facts, as text. */
export function termsOf({ sum, per }: Formula): Prisma.Sql {
  return Prisma.sql`${termOf(sum)}::text as sum, ${per ? Prisma.sql`${termOf(per)}::text` : Prisma.sql`'0'`} as divisor`
}

export const termOf = ({ kind, of }: Term): Prisma.Sql =>
  Prisma.raw(`coalesce(sum(${of}) filter (where kind = '${kind}'), 0)`)
