import { defineEnum } from '../../graphql/enums.ts'
import type { Comparison } from './buckets.ts'
import type { Dimension } from './facts.ts'
import type { Interval } from './intervals.ts'
import type { Metric } from './metrics.ts'
import type { RangePreset } from './range.ts'

export const RangePresetEnum = defineEnum('RangePreset', 'Days, months or years around now, whole, in the time zone.', {
  today: 'Today, to its end.',
  yesterday: 'The day before today.',
  last_7_days: 'Today and the 6 days before.',
  last_30_days: 'Today and the 29 days before.',
  last_90_days: 'Today and the 89 days before.',
  this_month: 'The calendar month that it is, to its end.',
  last_month: 'The calendar month before.',
  this_quarter: 'The quarter that it is, to its end.',
  last_quarter: 'The quarter before.',
  this_year: 'The calendar year that it is, to its end.',
  last_year: 'The calendar year before.',
  last_12_months: 'The calendar month that it is, and the 11 before.',
} satisfies Record<RangePreset, string>)

/** What each number is; the totals say the same of theirs. */
export const meanings = {
  visitors: 'Referrals made in the range: each visit that was recorded, and each first sale by coupon.',
  leads: 'Referrals that became a lead in the range, whenever they were made.',
  conversions: 'Referrals whose first sale occurred in the range.',
  conversion_rate: 'conversions / visitors, 0.05 being 5 percent; null without visitors.',
  sales: 'Sales in `currency` that occurred in the range, refunded ones too.',
  sales_amount: 'The sum of these sales; refunds are not taken off.',
  refunds: 'Refunds of sales in `currency` that were reported in the range, in whole or in part.',
  refund_amount: 'The sum of these refunds.',
  refund_rate: 'refundAmount / salesAmount, 0.05 being 5 percent; null where the sales come to nothing.',
  commission_accrued:
    'Commissions of sales that occurred in the range, held and negative ones too, as they are now; void ones are left out.',
  commission_due: 'Commissions that became due in the range, by now, and still are to be paid: not paid, void or held.',
  commission_paid: 'Commissions that were paid in the range.',
  commission_void: 'Commissions that were voided in the range.',
  average_sale: 'salesAmount / sales, rounded half up to a minor unit; null without sales.',
  earnings_per_click: 'commissionAccrued / visitors, rounded half up to a minor unit; null without visitors.',
} satisfies Record<Metric, string>

export const AnalyticsMetricEnum = defineEnum('AnalyticsMetric', 'What is counted, or added up.', meanings)
export const AnalyticsIntervalEnum = defineEnum('AnalyticsInterval', 'How much time a point is of, in the time zone.', {
  day: 'A calendar day; where clocks are changed it has 23 or 25 hours.',
  week: 'Monday to Sunday, numbered as ISO 8601 does.',
  month: 'A calendar month.',
  quarter: 'Three calendar months, from January, April, July or October.',
} satisfies Record<Interval, string>)
export const AnalyticsComparisonEnum = defineEnum('AnalyticsComparison', 'What each point is held against.', {
  previous_period: 'The interval as many before it as there are points: of the last 30 days, the 30 before.',
  previous_year: 'The same a year before: of 29 February, 28 February; of a week, the one 52 weeks before.',
} satisfies Record<Comparison, string>)
export const AnalyticsDimensionEnum = defineEnum('AnalyticsDimension', 'By what numbers are kept apart.', {
  affiliate: 'The affiliate.',
  campaign: 'The campaign that the referral was made to.',
  link: 'The link that the referral came through; what came through none is left out.',
  coupon: 'The coupon that the referral began with; what began with none is left out.',
  currency: 'The currency, whichever is asked for. Visitors, leads and conversions have none.',
} satisfies Record<Dimension, string>)
export const CohortIntervalEnum = defineEnum('CohortInterval', 'By what customers are put together.', {
  month: 'The calendar month of their first sale.',
})
