import type {
  AnalyticsComparison,
  AnalyticsDimension,
  AnalyticsInterval,
  AnalyticsMetric,
  AnalyticsRange,
  RangePreset,
} from '../../../generated/dashboard/analytics/graphql.ts'
import type { ListSearch } from '../list/search.ts'

export const presets = [
  'LAST_7_DAYS',
  'LAST_30_DAYS',
  'LAST_90_DAYS',
  'LAST_12_MONTHS',
  'THIS_MONTH',
  'LAST_MONTH',
  'THIS_QUARTER',
  'LAST_QUARTER',
  'THIS_YEAR',
  'LAST_YEAR',
] as const satisfies RangePreset[]
export const intervals = ['DAY', 'WEEK', 'MONTH', 'QUARTER'] as const satisfies AnalyticsInterval[]
export const comparisons = ['PREVIOUS_PERIOD', 'PREVIOUS_YEAR', 'NONE'] as const satisfies (
  | AnalyticsComparison
  | 'NONE'
)[]
export const dimensions = ['AFFILIATE', 'CAMPAIGN', 'SOURCE', 'COUPON'] as const satisfies AnalyticsDimension[]
/** What a report has a row for. */
export const subjects = ['ALL', ...dimensions] as const
/** The referrals of coupons have no visit. */
export const timed = ['ALL', 'AFFILIATE', 'CAMPAIGN', 'SOURCE'] as const satisfies (typeof subjects)[number][]
/** Whose first sale makes a cohort: of the chosen currency, or of any. */
export const cohortCustomers = ['OF_CURRENCY', 'OF_ALL'] as const
export const measures = ['retention', 'customers', 'sales'] as const

/** What the reports are about, as the address says it: `?range=last-90-days&compare=previous-year&metric=leads`. */
export type Asked = {
  range: (typeof presets)[number] | 'CUSTOM'
  /** The days of a custom range, both inclusive. */
  from: string
  to: string
  interval: (typeof intervals)[number]
  compare: (typeof comparisons)[number]
  currency: string
  metric: AnalyticsMetric
  top: (typeof dimensions)[number]
  funnel: (typeof subjects)[number]
  cohorts: (typeof measures)[number]
  customers: (typeof cohortCustomers)[number]
  time: (typeof timed)[number]
  lifetime: (typeof subjects)[number]
}

/** A value of an enum in an address: LAST_90_DAYS is `last-90-days`. */
export const inAddress = (value: string): string => value.toLowerCase().replaceAll('_', '-')

/** Reads the address. Missing and unknown values have their defaults. */
export function readAsked(search: ListSearch, metrics: readonly AnalyticsMetric[], currency: string): Asked {
  const chosen = <Value extends string, Default extends string>(
    name: string,
    values: readonly Value[],
    otherwise: Default,
  ) => values.find((value) => inAddress(value) === search[name]) ?? otherwise
  const { from = '', to = '' } = search
  const range = chosen('range', [...presets, 'CUSTOM'], 'LAST_12_MONTHS')
  return {
    range,
    from,
    to,
    interval: chosen('interval', intervals, usualInterval(range, from, to)),
    compare: chosen('compare', comparisons, 'PREVIOUS_PERIOD'),
    currency: /^[a-z]{3}$/.test(search.currency ?? '') ? (search.currency as string) : currency,
    metric: chosen('metric', metrics, 'SALES_AMOUNT'),
    top: chosen('top', dimensions, 'AFFILIATE'),
    funnel: chosen('funnel', subjects, 'ALL'),
    cohorts: chosen('cohorts', measures, 'retention'),
    customers: chosen('customers', cohortCustomers, 'OF_CURRENCY'),
    time: chosen('time', timed, 'ALL'),
    lifetime: chosen('lifetime', subjects, 'AFFILIATE'),
  }
}

const dayMs = 86_400_000

/** The interval with which a chart of the range has a few dozen points at most. */
function usualInterval(range: Asked['range'], from: string, to: string): Asked['interval'] {
  if (/7_DAYS|30_DAYS|MONTH$/.test(range)) return 'DAY'
  if (/90_DAYS|QUARTER/.test(range)) return 'WEEK'
  if (range !== 'CUSTOM') return 'MONTH'
  const days = (Date.parse(to) - Date.parse(from)) / dayMs
  return days > 120 ? 'MONTH' : days > 31 ? 'WEEK' : 'DAY'
}

/**
 * The range of a query. A custom one goes from midnight to midnight here; until both days are chosen, it is the
 * default.
 */
export function rangeOf({ range, from, to }: Asked): AnalyticsRange {
  if (range !== 'CUSTOM') return { preset: range }
  const start = new Date(`${from}T00:00`)
  const end = new Date(`${to}T00:00`)
  if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime())) return { preset: 'LAST_12_MONTHS' }
  end.setDate(end.getDate() + 1)
  return { from: start.toISOString(), to: end.toISOString() }
}
