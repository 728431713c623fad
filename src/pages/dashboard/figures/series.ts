import { labelsOf, type Series } from '../../parts/chart/series.ts'
import { formatMoney, formatTick } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { texts } from '../texts.ts'

export const metrics = ['revenue', 'commissions', 'conversions', 'visitors'] as const
export type Metric = (typeof metrics)[number]

type Cents = { amountCents: number }
type ComparedSeries = {
  interval: string
  points: readonly {
    start: string
    value: number | null
    comparison: number | null
    money: Cents | null
    comparisonMoney: Cents | null
  }[]
}

/** The part of analytics that figures show: of a program, or of an affiliate. */
export type Analytics = Record<Metric, ComparedSeries> & {
  currency: string
  totals: { visitors: number; conversions: number; salesAmount: Cents; commissionAccrued: Cents }
}

export type MetricSeries = Series & { total: number; totalBefore: number }

/** The series of each metric with its total, and the total of the period before. */
export function seriesOf(analytics: Analytics): Record<Metric, MetricSeries> {
  const { currency, totals } = analytics
  const series = (metric: Metric, total: number, { interval, points }: ComparedSeries): MetricSeries => {
    const isMoney = metric === 'revenue' || metric === 'commissions'
    const labelOf = labelsOf(
      points.map(({ start }) => start),
      interval,
    )
    const compared = points.map(({ start, value, comparison, money, comparisonMoney }) => ({
      start,
      label: labelOf(start),
      value: money?.amountCents ?? value ?? 0,
      before: comparisonMoney?.amountCents ?? comparison ?? 0,
    }))
    return {
      name: texts.home.figures.metrics[metric],
      interval,
      total,
      totalBefore: compared.reduce((sum, { before }) => sum + before, 0),
      format: (value) => (isMoney ? formatMoney(value, currency) : formatNumber(value)),
      formatShort: (value) => (isMoney ? formatTick(value, currency) : formatNumber(value)),
      points: compared,
    }
  }
  return {
    revenue: series('revenue', totals.salesAmount.amountCents, analytics.revenue),
    commissions: series('commissions', totals.commissionAccrued.amountCents, analytics.commissions),
    conversions: series('conversions', totals.conversions, analytics.conversions),
    visitors: series('visitors', totals.visitors, analytics.visitors),
  }
}

/** The change as a fraction: 0.1 is 10 percent more. Null if there was nothing to compare with. */
export const changeOf = (now: number, before: number): number | null =>
  before > 0 ? Math.round(((now - before) / before) * 100) / 100 || 0 : null

/** Whether there is nothing to draw, now and before. */
export const isEmpty = ({ points }: MetricSeries): boolean => points.every(({ value, before }) => !value && !before)
