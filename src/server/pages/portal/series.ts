import type { AnalyticsInterval, PerformanceQuery, SeriesFragment } from '../../../generated/portal/graphql.ts'
import { formatAmount, formatMoney } from './format.tsx'

export type Metric = 'visitors' | 'leads' | 'conversions' | 'earnings'

/** What a chart draws. Amounts are minor units until they are formatted. */
export type Series = {
  name: string
  points: { start: string; label: string; value: number }[]
  format(value: number): string
  /** Without the unit, for places where the unit is shown nearby. */
  formatShort(value: number): string
  unit?: string
}

/** Returns the series of each metric. Their points are labelled in the browser's language. */
export function seriesOf(analytics: PerformanceQuery['me']['analytics']): Record<Metric, Series> {
  const { currency } = analytics
  const series = (name: string, { interval, points }: SeriesFragment, money?: { unit: string }): Series => ({
    name,
    ...money,
    format: (value) => (money ? formatMoney(value, currency) : value.toLocaleString()),
    formatShort: (value) => (money ? formatAmount(value, currency) : value.toLocaleString()),
    points: points.map(({ start, value, money }) => ({
      start,
      label: labelOf(start, interval),
      value: money?.amountCents ?? value ?? 0,
    })),
  })
  return {
    visitors: series('Visitors', analytics.visitors),
    leads: series('Leads', analytics.leads),
    conversions: series('Conversions', analytics.conversions),
    earnings: series('Earnings', analytics.earnings, { unit: currency.toUpperCase() }),
  }
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })

const labelOf = (start: string, interval: AnalyticsInterval) =>
  (interval === 'MONTH' ? monthFormat : dayFormat).format(new Date(start))

/**
 * Returns the grid lines of a chart, lowest first: round numbers that enclose all values and include 0. They are whole
 * numbers, because counts and minor units are.
 */
export function gridLinesOf(values: readonly number[]): number[] {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)]
  const roughStep = Math.max(1, (highest - lowest) / 3)
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= roughStep) ?? 10) * power)
  const lines: number[] = []
  for (let line = Math.floor(lowest / step) * step; line < highest + step; line += step) lines.push(line)
  return lines.length > 1 ? lines : [0, 1]
}
