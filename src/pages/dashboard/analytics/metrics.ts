import type { AnalyticsMetric, TotalsQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatMoney, formatTick } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { changeOf } from '../figures/series.ts'
import { texts } from '../texts.ts'

type Totals = TotalsQuery['analytics']['totals']

/** The total of each metric, in the order in which they are shown. */
const totalOf = {
  SALES_AMOUNT: 'salesAmount',
  SALES: 'sales',
  AVERAGE_SALE: 'averageSale',
  VISITORS: 'visitors',
  LEADS: 'leads',
  CONVERSIONS: 'conversions',
  CONVERSION_RATE: 'conversionRate',
  EARNINGS_PER_CLICK: 'earningsPerClick',
  COMMISSION_ACCRUED: 'commissionAccrued',
  COMMISSION_DUE: 'commissionDue',
  COMMISSION_PAID: 'commissionPaid',
  COMMISSION_VOID: 'commissionVoid',
  REFUND_AMOUNT: 'refundAmount',
  REFUNDS: 'refunds',
  REFUND_RATE: 'refundRate',
} as const satisfies Record<AnalyticsMetric, keyof Totals>

export const metrics = Object.keys(totalOf) as AnalyticsMetric[]

type Measured = { value?: number | null; money?: { amountCents: number } | null }

const isRate = (metric: AnalyticsMetric) => metric.endsWith('_RATE')
const isMoney = (metric: AnalyticsMetric) => /AMOUNT|COMMISSION|AVERAGE|EARNINGS/.test(metric)

/** What a rate or an average is one of; undefined for other metrics. */
export function baseOf(metric: AnalyticsMetric): string | undefined {
  if (metric === 'CONVERSION_RATE' || metric === 'EARNINGS_PER_CLICK') return texts.analytics.bases.visitor
  return metric === 'REFUND_RATE' || metric === 'AVERAGE_SALE' ? texts.analytics.bases.sale : undefined
}

/** Charts draw whole numbers: minor units of money, and hundredths of a percent. */
export const wholeOf = (metric: AnalyticsMetric, { value, money }: Measured): number =>
  money?.amountCents ?? (isRate(metric) ? Math.round((value ?? 0) * 10_000) : (value ?? 0))

const formatPercent = (fraction: number) =>
  formatNumber(fraction, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** 0.0525 is "5.3%". Nothing is a dash. */
export const formatRate = (fraction: number | null): string => (fraction === null ? '–' : formatPercent(fraction))

/** A change as a fraction, with its sign. Null, from nothing, is a dash. */
export const formatChange = (fraction: number | null): string =>
  fraction === null
    ? '–'
    : formatNumber(fraction, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Seconds in the largest unit of which there is one: "11.8 days". Null is a dash. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–'
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? units[2]
  return formatNumber(seconds / size, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 })
}

/** Writes what `wholeOf` returned. */
export function formatsOf(metric: AnalyticsMetric, currency: string) {
  if (isRate(metric)) {
    const format = (whole: number) => formatPercent(whole / 10_000)
    return { format, formatShort: format }
  }
  if (isMoney(metric))
    return {
      format: (whole: number) => formatMoney(whole, currency),
      formatShort: (whole: number) => formatTick(whole, currency),
    }
  const format = (whole: number) => formatNumber(whole)
  return { format, formatShort: format }
}

/** The change of a total as a fraction; null without anything to compare with. */
export function changeOfTotal(metric: AnalyticsMetric, now: Totals, before: Totals): number | null {
  const [current, earlier] = [now, before].map((totals) => {
    const total = totals[totalOf[metric]]
    return typeof total === 'object' ? (total?.amountCents ?? null) : total
  })
  return typeof current === 'number' && typeof earlier === 'number' ? changeOf(current, earlier) : null
}

/** A total as text. A rate or an average of nothing is a dash. */
export function formatTotal(metric: AnalyticsMetric, totals: Totals): string {
  const total = totals[totalOf[metric]]
  if (total === null) return '–'
  if (typeof total === 'object') return formatMoney(total.amountCents, total.currency)
  return isRate(metric) ? formatRate(total) : formatNumber(total)
}
