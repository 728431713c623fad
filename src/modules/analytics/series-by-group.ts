import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { giveWay } from '../../kernel/slices.ts'
import { type Dimension, type FactsQuery, sumsOf } from './facts.ts'
import { formulas, kindsOf, type Metric } from './metrics.ts'
import { readTop } from './ranking.ts'
import {
  readBucketSums,
  readSums,
  readTimeSeries,
  type SeriesArgs,
  type SeriesGroup,
  type SeriesSums,
  type Sums,
  type TimeSeries,
} from './series.ts'
import type { Analytics } from './service.ts'

export const defaultGroups = 10
export const maxGroups = 50

/** Rates and averages are grouped by their dividend: one visitor with one sale has the best rate, but says nothing. */
const rankedBy: Partial<Record<Metric, Metric>> = {
  conversion_rate: 'conversions',
  refund_rate: 'refund_amount',
  average_sale: 'sales_amount',
  earnings_per_click: 'commission_accrued',
}

type GroupArgs = { groupBy?: Dimension | null | undefined; top?: number | null | undefined }

/**
 * Reads a series, and the series of the largest values of a dimension in the range, and of the rest. The series of all
 * and those of the groups are read in one statement, so they add up.
 * @throws INVALID_INPUT
 */
export async function readSeriesByGroup(
  ctx: ProgramCtx,
  analytics: Analytics,
  { groupBy: dimension, top, ...args }: SeriesArgs & GroupArgs,
): Promise<TimeSeries> {
  const { metric, interval } = args
  if (!dimension) {
    if (typeof top === 'number') throw invalid([problem('top', "can't be given without groupBy")])
    return readTimeSeries(ctx, analytics, args)
  }
  const limit = top ?? defaultGroups
  if (limit < 1 || limit > maxGroups) throw invalid([problem('top', `must be from 1 to ${maxGroups}`)])
  if (dimension === 'currency')
    throw invalid([problem('groupBy', "can't be currency: amounts in different currencies have no total")])
  const largest = await readTop(ctx, analytics, { by: rankedBy[metric] ?? metric, dimension, limit, minimum: 0 })
  const keys = largest.flatMap(({ id }) => id ?? [])
  const facts = { ...analytics.query, dimension, keys }
  const { sums, pointsOf } = await readBucketSums(analytics, args, (spans) =>
    readSums(ctx, metric, spans, (distinct) => allAndGroups(facts, metric, distinct)),
  )
  const all = sums(null)
  let rest = all
  const groups: SeriesGroup[] = []
  for (const value of largest) {
    const ofGroup = sums(value.id)
    rest = minus(rest, ofGroup)
    groups.push({ ...value, isRest: false, points: pointsOf(ofGroup) })
    await giveWay()
  }
  if (!isZero(rest)) groups.push({ id: null, label: 'other', isRest: true, points: pointsOf(rest) })
  return { metric, interval, points: pointsOf(all), groups }
}

/** Sums of all facts with the key null, and of the facts of each key. */
const allAndGroups = ({ dimension, keys = [], ...all }: FactsQuery, metric: Metric, spans: SpansOf): Prisma.Sql => {
  const kinds = kindsOf(formulas[metric])
  return Prisma.sql`
    select bucket, kind, null::text as key, count, amount from (${sumsOf(all, kinds, spans)}) whole
    union all
    select bucket, kind, key::text, count, amount from (${sumsOf({ ...all, dimension, keys }, kinds, spans)}) groups`
}
type SpansOf = Parameters<typeof sumsOf>[2]

const minus = (whole: SeriesSums, part: SeriesSums): SeriesSums => ({
  current: difference(whole.current, part.current),
  earlier: whole.earlier && difference(whole.earlier, part.earlier ?? []),
})

const difference = (whole: readonly Sums[], part: readonly Sums[]): Sums[] =>
  whole.map(({ sum, divisor }, n) => ({
    sum: sum - (part[n]?.sum ?? 0n),
    divisor: divisor - (part[n]?.divisor ?? 0n),
  }))

const isZero = ({ current, earlier = [] }: SeriesSums): boolean =>
  [...current, ...earlier].every(({ sum, divisor }) => sum === 0n && divisor === 0n)
