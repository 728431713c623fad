import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { bucketsOf, type Comparison, comparedWith, mostPoints } from './buckets.ts'
import { type Question, sumsOf } from './facts.ts'
import type { Interval } from './intervals.ts'
import { type Amount, evaluate, type Formula, formulas, kindsOf, type Metric, type Term } from './metrics.ts'
import type { Span } from './range.ts'
import type { Analytics } from './service.ts'

export type Point = { start: Date; label: string; amount: Amount; comparison: Amount | null; currency: string }
export type TimeSeries = { metric: Metric; interval: Interval; points: Point[] }

export type SeriesArgs = { metric: Metric; interval: Interval; compareTo?: Comparison | null | undefined }

/** A metric in every interval that the range touches. @throws INVALID_INPUT where those are too many */
export const readTimeSeries = async (ctx: ProgramCtx, analytics: Analytics, args: SeriesArgs): Promise<TimeSeries> =>
  (await readTimeSeriesBy(ctx, analytics, args))(null)

/** The same for each key of the question's dimension; where it has none there is one key, null. */
export async function readTimeSeriesBy(
  ctx: ProgramCtx,
  { question, timeZone, ...span }: Analytics,
  { metric, interval, compareTo }: SeriesArgs,
): Promise<(key: string | null) => TimeSeries> {
  const buckets = bucketsOf(span, interval, timeZone)
  if (!buckets)
    throw invalid([
      problem('interval', `would give more than ${mostPoints} points: choose a longer one or a shorter range`),
    ])
  const [amounts, compared] = await Promise.all([
    readAmounts(ctx, question, metric, buckets),
    compareTo ? readAmounts(ctx, question, metric, comparedWith(buckets, interval, compareTo, timeZone)) : null,
  ])
  const { currency } = question
  return (key) => {
    const [own, before] = [amounts(key), compared?.(key)]
    const points = buckets.map(({ start, label }, n) => {
      return { start: new Date(start), label, amount: own[n] as Amount, comparison: before?.[n] ?? null, currency }
    })
    return { metric, interval, points }
  }
}

/** Of each key one amount for each span; spans may be the same (29 February and 28 are compared with one day), but never cross. */
async function readAmounts(
  { db }: ProgramCtx,
  question: Question,
  metric: Metric,
  spans: readonly Span[],
): Promise<(key: string | null) => Amount[]> {
  const formula = formulas[metric]
  const distinct = spans.filter(({ from, to }, n) => from < to && from !== spans[n - 1]?.from)
  const rows = await db.$queryRaw<{ key: string | null; bucket: number; sum: string; divisor: string }[]>`
    select key, bucket, ${termsOf(formula)}
    from (${sumsOf(question, kindsOf(formula), distinct)}) sums group by key, bucket`
  return (key) => {
    const found = new Map(rows.filter((row) => row.key === key).map((row) => [distinct[row.bucket]?.from, row]))
    return spans.map(({ from, to }) => {
      const row = from < to ? found.get(from) : undefined
      return evaluate(formula, BigInt(row?.sum ?? 0), BigInt(row?.divisor ?? 0))
    })
  }
}

/** `sum` and `divisor` of a formula over sums of facts, as text. */
export function termsOf({ sum, per }: Formula): Prisma.Sql {
  return Prisma.sql`${termOf(sum)}::text as sum, ${per ? Prisma.sql`${termOf(per)}::text` : Prisma.sql`'0'`} as divisor`
}

export const termOf = ({ kind, of }: Term): Prisma.Sql =>
  Prisma.raw(`coalesce(sum(${of}) filter (where kind = '${kind}'), 0)`)
