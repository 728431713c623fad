import { costing, costOfField } from '../../graphql/cost.ts'
import type { Interval } from './intervals.ts'
import { defaultGroups, maxGroups } from './series-by-group.ts'

type Field = Parameters<typeof costOfField>[2]
type RangeArgs = { range?: { from?: Date | null; to?: Date | null } | null }
type SeriesArgs = { interval?: Interval; compareTo?: unknown; groupBy?: unknown; top?: number | null }

const yearMs = 366 * 86_400_000
const pointsPerYear: Record<Interval, number> = { day: 366, week: 53, month: 12, quarter: 4 }

/** What reading one report costs: of the program, and of an affiliate, whose reports are read together with others. */
const programReport = 500
const affiliateReport = 100

/** Reports of several years cost up to three times as much: a series has at most 1,000 points. */
export const costOfRange = (args: object, visited: unknown, field: Field) => {
  const { from, to } = (args as RangeArgs).range ?? {}
  const years = from && to ? Math.ceil((to.getTime() - from.getTime()) / yearMs) : 1
  return { ...costOfField({ ...args }, visited, field), multiplier: Math.min(Math.max(1, years || 1), 3) }
}

/**
 * A series costs a report and the points of a year, twice if it is compared, and its selection once for each point.
 * With groups, the ranking is one more report, and each group and the rest have as many points.
 */
const seriesOf = (report: number) => (args: object, visited: unknown, field: Field) => {
  const { interval = 'day', compareTo, groupBy, top } = args as SeriesArgs
  const costs = costOfField({ ...args }, visited, field)
  const groups = groupBy ? Math.min(Math.max(top ?? defaultGroups, 1), maxGroups) + 1 : 0
  const points = pointsPerYear[interval] * (1 + groups)
  const cost = (report + points) * (compareTo ? 2 : 1) + (groups > 0 ? report : 0)
  return { ...costs, field: cost, multiplier: points }
}

export const costOfReport = costing(programReport)
export const costOfSeries = seriesOf(programReport)
export const costOfAffiliateReport = costing(affiliateReport)
export const costOfAffiliateSeries = seriesOf(affiliateReport)

/** The series has counted its points, and those of its groups. */
export const costOfPoints = (args: object, visited: unknown, field: Field) => ({
  ...costOfField({ ...args }, visited, field),
  multiplier: 1,
})
