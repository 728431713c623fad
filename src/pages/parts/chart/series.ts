import { formatDate } from '../locale.ts'

/** What a chart draws. Amounts are minor units until they are formatted. */
export type Series = {
  name: string
  points: Point[]
  format(value: number): string
  /** Without the unit, for places where the unit is shown nearby. */
  formatShort(value: number): string
  /** On the axis. As `formatShort` unless given. */
  formatTick?(value: number): string
  /** The length of what a point is about: the last one may not be over. */
  interval?: string
  unit?: string
}

/** `before` is the value of the interval that the point is compared with. */
export type Point = { start: string; label: string; value: number; before?: number }

const dayFormat = { day: 'numeric', month: 'short' } as const
const dayOfYearFormat = { dateStyle: 'medium' } as const
const monthFormat = { month: 'short', year: 'numeric' } as const

const yearMs = 366 * 86_400_000

/**
 * Returns the function that labels the intervals of a chart by their start, in the program's locale. Days and weeks
 * have a year only if the chart covers more than one: without it, two labels would be the same.
 * @param starts in ascending order
 */
export function labelsOf(starts: readonly string[], interval: string): (start: string) => string {
  const isLong = Date.parse(starts.at(-1) ?? '') - Date.parse(starts[0] ?? '') > yearMs
  const isOfDays = interval === 'DAY' || interval === 'WEEK'
  const format = isOfDays ? (isLong ? dayOfYearFormat : dayFormat) : monthFormat
  return (start) => formatDate(start, format)
}

const months: Record<string, number> = { MONTH: 1, QUARTER: 3, YEAR: 12 }
const days: Record<string, number> = { DAY: 1, WEEK: 7 }

/** Whether the interval that begins at a time has begun, and is not over. */
export function isUnfinished(start: string, interval: string | undefined, now: number): boolean {
  const end = new Date(start)
  // East of UTC a month begins on the last day of another one. A day later it is in the month whose length is meant.
  end.setUTCDate(end.getUTCDate() + (days[interval ?? ''] ?? 0))
  const inMonths = months[interval ?? '']
  if (inMonths) {
    end.setUTCDate(end.getUTCDate() + 1)
    end.setUTCMonth(end.getUTCMonth() + inMonths)
    end.setUTCDate(end.getUTCDate() - 1)
  }
  return Date.parse(start) <= now && now < end.getTime()
}

/**
 * Returns the grid lines of a chart, lowest first: round numbers that enclose all values and include 0.
 * @param leastStep their least distance. Counts and minor units are whole numbers, so it is 1 by default.
 */
export function gridLinesOf(values: readonly number[], leastStep = 1): number[] {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (lowest === highest) return [0, leastStep || 1]
  const roughStep = Math.max(leastStep, (highest - lowest) / 3)
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const step = Math.max(leastStep, ([1, 2, 5, 10].find((factor) => factor * power >= roughStep) ?? 10) * power)
  const first = Math.floor(lowest / step)
  const count = Math.max(2, Math.ceil(highest / step) - first + 1)
  // Fractions are rounded: 3 × 0.1 is not 0.3.
  return Array.from({ length: count }, (_, n) => Number(((first + n) * step).toPrecision(12)))
}
