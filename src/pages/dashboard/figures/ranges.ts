import type { AnalyticsInterval, RangePreset } from '../../../generated/dashboard/home/graphql.ts'
import { texts } from '../texts.ts'

const words = texts.home.figures

export type Range = { name: string; preset: RangePreset; interval: AnalyticsInterval }
export const lastMonth: Range = { name: words.last30Days, preset: 'LAST_30_DAYS', interval: 'DAY' }
export const ranges: Range[] = [
  { name: words.last7Days, preset: 'LAST_7_DAYS', interval: 'DAY' },
  lastMonth,
  { name: words.last90Days, preset: 'LAST_90_DAYS', interval: 'WEEK' },
  { name: words.last12Months, preset: 'LAST_12_MONTHS', interval: 'MONTH' },
]

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
