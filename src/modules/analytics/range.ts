import { type Day, dayMs, dayOf, startOfDay } from '../../kernel/time-zone.ts'
import { addIntervals, firstDayOf, type Interval } from './intervals.ts'

/** A span of time in epoch milliseconds: `from` inclusive, `to` exclusive. */
export type Span = { from: number; to: number }

export const rangePresets = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
  'last_12_months',
] as const
export type RangePreset = (typeof rangePresets)[number]

/** The first day of a preset, and the first day after it. */
function daysOf(preset: RangePreset, today: Day): [Day, Day] {
  const whole = (interval: Interval, count: number, ago: number): [Day, Day] => {
    const current = firstDayOf(today, interval)
    const end = addIntervals(current, interval, 1 - ago)
    return [addIntervals(end, interval, -count), end]
  }
  const year = (ago: number): [Day, Day] => {
    const january = -new Date(today * dayMs).getUTCMonth() - 12 * ago
    const month = firstDayOf(today, 'month')
    return [addIntervals(month, 'month', january), addIntervals(month, 'month', january + 12)]
  }
  switch (preset) {
    case 'today':
      return whole('day', 1, 0)
    case 'yesterday':
      return whole('day', 1, 1)
    case 'last_7_days':
      return whole('day', 7, 0)
    case 'last_30_days':
      return whole('day', 30, 0)
    case 'last_90_days':
      return whole('day', 90, 0)
    case 'this_month':
      return whole('month', 1, 0)
    case 'last_month':
      return whole('month', 1, 1)
    case 'this_quarter':
      return whole('quarter', 1, 0)
    case 'last_quarter':
      return whole('quarter', 1, 1)
    case 'this_year':
      return year(0)
    case 'last_year':
      return year(1)
    case 'last_12_months':
      return whole('month', 12, 0)
  }
}

/**
 * The span of a preset at `now`, in whole days of the time zone. The current day, month or quarter counts until its
 * end.
 */
export function presetSpan(preset: RangePreset, now: Date, timeZone: string): Span {
  const [first, end] = daysOf(preset, dayOf(now.getTime(), timeZone))
  return { from: startOfDay(first, timeZone), to: startOfDay(end, timeZone) }
}
