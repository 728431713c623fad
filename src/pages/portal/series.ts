import type { PerformanceQuery, SeriesFragment } from '../../generated/portal/graphql.ts'
import { labelsOf, type Series } from '../parts/chart/series.ts'
import { formatAmount, formatMoney, formatTick } from '../parts/format.tsx'
import { formatNumber } from '../parts/locale.ts'
import { texts } from './texts.ts'

export type Metric = 'visitors' | 'leads' | 'conversions' | 'earnings'

/** Returns the series of each metric. Their points are labelled in the browser's language. */
export function seriesOf(analytics: PerformanceQuery['me']['analytics']): Record<Metric, Series> {
  const { currency } = analytics
  const names = texts.performance.metrics
  const series = (name: string, { interval, points }: SeriesFragment, money?: { unit: string }): Series => {
    const labelOf = labelsOf(
      points.map(({ start }) => start),
      interval,
    )
    return {
      name,
      interval,
      ...money,
      format: (value) => (money ? formatMoney(value, currency) : formatNumber(value)),
      formatShort: (value) => (money ? formatAmount(value, currency) : formatNumber(value)),
      formatTick: (value) => (money ? formatTick(value, currency) : formatNumber(value)),
      points: points.map(({ start, value, money }) => ({
        start,
        label: labelOf(start),
        value: money?.amountCents ?? value ?? 0,
      })),
    }
  }
  return {
    visitors: series(names.visitors, analytics.visitors),
    leads: series(names.leads, analytics.leads),
    conversions: series(names.conversions, analytics.conversions),
    earnings: series(names.earnings, analytics.earnings, { unit: currency.toUpperCase() }),
  }
}
