import { defineEnum } from '../../graphql/enums.ts'
import type { Comparison } from './buckets.ts'
import type { Dimension } from './facts.ts'
import type { Interval } from './intervals.ts'
import type { LeaderboardMonth } from './leaderboard.ts'
import type { Metric } from './metrics.ts'
import type { RangePreset } from './range.ts'

export const RangePresetEnum = defineEnum(
  'RangePreset',
  'A range of whole days, months, quarters or years relative to now, in the time zone of the query.',
  {
    today: 'Today, until its end.',
    yesterday: 'Yesterday.',
    last_7_days: 'Today and the 6 days before it.',
    last_30_days: 'Today and the 29 days before it.',
    last_90_days: 'Today and the 89 days before it.',
    this_month: 'The current calendar month, until its end.',
    last_month: 'The previous calendar month.',
    this_quarter: 'The current quarter, until its end.',
    last_quarter: 'The previous quarter.',
    this_year: 'The current calendar year, until its end.',
    last_year: 'The previous calendar year.',
    last_12_months: 'The current calendar month and the 11 months before it.',
  } satisfies Record<RangePreset, string>,
)

export const LeaderboardMonthEnum = defineEnum('LeaderboardMonth', "A month in the program's time zone.", {
  this_month: 'The current calendar month.',
  last_month: 'The previous calendar month.',
} satisfies Record<LeaderboardMonth, string>)

/** The definition of each metric. Fields with the same value share it as their description. */
export const metricDescriptions = {
  visitors:
    'The number of referrals created in the range: one for each recorded visit that created one, and for each first sale by coupon.',
  leads: 'The number of referrals that became a lead in the range, whenever they were created.',
  conversions: 'The number of referrals whose first sale occurred in the range.',
  conversion_rate: 'conversions / visitors, as a fraction: 0.05 is 5 percent. Null if there are no visitors.',
  sales: 'The number of sales in `currency` that occurred in the range, including refunded ones.',
  sales_amount: 'The sum of the sales in `currency` that occurred in the range, before refunds.',
  refunds: 'The number of full and partial refunds of sales in `currency` that were reported in the range.',
  refund_amount: 'The sum of the refunds of sales in `currency` that were reported in the range.',
  refund_rate: 'refundAmount / salesAmount, as a fraction: 0.05 is 5 percent. Null if the sum of the sales is 0.',
  commission_accrued:
    'The sum of the commissions of sales that occurred in the range, with their current amounts. Includes held and negative commissions, but not void ones.',
  commission_due:
    'The sum of the commissions whose due date is in the range and has passed, and that are not paid, void or held.',
  commission_paid: 'The sum of the commissions that were paid in the range.',
  commission_void: 'The sum of the commissions that were voided in the range.',
  average_sale: 'salesAmount / sales, rounded half up to a minor unit. Null if there are no sales.',
  earnings_per_click: 'commissionAccrued / visitors, rounded half up to a minor unit. Null if there are no visitors.',
} satisfies Record<Metric, string>

export const AnalyticsMetricEnum = defineEnum(
  'AnalyticsMetric',
  'A number that analytics can compute: a count, a rate or an amount of money.',
  metricDescriptions,
)
export const AnalyticsIntervalEnum = defineEnum(
  'AnalyticsInterval',
  'The length of an interval of a time series, in the time zone of the query.',
  {
    day: 'A calendar day. It has 23 or 25 hours when daylight saving time starts or ends.',
    week: 'An ISO 8601 week, from Monday to Sunday.',
    month: 'A calendar month.',
    quarter: 'Three calendar months that start in January, April, July or October.',
  } satisfies Record<Interval, string>,
)
export const AnalyticsComparisonEnum = defineEnum(
  'AnalyticsComparison',
  'What each point of a time series is compared with.',
  {
    previous_period:
      'The same number of intervals before the range: the last 30 days are compared with the 30 days before them.',
    previous_year:
      'The same interval a year earlier. 29 February is compared with 28 February, and a week with the one 52 weeks earlier.',
  } satisfies Record<Comparison, string>,
)
export const AnalyticsDimensionEnum = defineEnum(
  'AnalyticsDimension',
  'A dimension by which numbers are grouped.',
  {
    affiliate: 'By affiliate.',
    campaign: 'By the campaign of the referral.',
    source: 'By the link that the referral came through. Referrals without a link are left out.',
    coupon: 'By the coupon that created the referral. Referrals without a coupon are left out.',
    currency:
      'By currency, regardless of the `currency` argument. Not allowed for visitors, leads and conversions, which have no currency.',
  } satisfies Record<Dimension, string>,
  { LINK: 'source' },
)
export const CohortIntervalEnum = defineEnum(
  'CohortInterval',
  'The interval by which customers are grouped into cohorts.',
  {
    month: 'By the calendar month of the first sale.',
  },
)
