import { type Day, dayMs } from '../../kernel/time-zone.ts'

export const intervals = ['day', 'week', 'month', 'quarter'] as const
/** An interval of a local calendar. Weeks start on Monday. */
export type Interval = (typeof intervals)[number]

const dateOf = (day: Day) => new Date(day * dayMs)
const dayOfDate = (year: number, month: number, date = 1): Day => Date.UTC(year, month, date) / dayMs
const monthsOf: Record<Exclude<Interval, 'day' | 'week'>, number> = { month: 1, quarter: 3 }

/** The first day of the interval that a day is in. */
export function firstDayOf(day: Day, interval: Interval): Day {
  if (interval === 'day') return day
  // Day 4 was a Monday.
  if (interval === 'week') return day - ((((day - 4) % 7) + 7) % 7)
  const date = dateOf(day)
  const months = monthsOf[interval]
  return dayOfDate(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months)
}

/**
 * The first day of the interval that is `count` intervals after the one that starts on `first`, or before it if
 * negative.
 */
export function addIntervals(first: Day, interval: Interval, count: number): Day {
  if (interval === 'day') return first + count
  if (interval === 'week') return first + 7 * count
  const date = dateOf(first)
  return dayOfDate(date.getUTCFullYear(), date.getUTCMonth() + monthsOf[interval] * count)
}

/** The same day a year earlier; 29 February becomes 28 February. */
export function yearBefore(day: Day): Day {
  const date = dateOf(day)
  const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()]
  return Math.min(dayOfDate(year, month, date.getUTCDate()), dayOfDate(year, month + 1) - 1)
}

/**
 * The label of an interval: 2026-03-10, 2026-W11 (in ISO 8601 a week belongs to the year of its Thursday), 2026-03,
 * 2026-Q1.
 */
export function labelOf(first: Day, interval: Interval): string {
  const text = dateOf(first).toISOString()
  if (interval === 'day') return text.slice(0, 10)
  if (interval === 'month') return text.slice(0, 7)
  if (interval === 'quarter') return `${text.slice(0, 4)}-Q${Math.floor(dateOf(first).getUTCMonth() / 3) + 1}`
  const thursday = first + 3
  const year = dateOf(thursday).getUTCFullYear()
  const week = Math.floor((thursday - dayOfDate(year, 0)) / 7) + 1
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}
