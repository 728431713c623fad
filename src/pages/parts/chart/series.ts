import { formatDate } from '../locale.ts'

/** What a chart draws. Amounts are minor units until they are formatted. */
export type Series = {
  name: string
  points: Point[]
  format(value: number): string
  /** Without the unit, for places where the unit is shown nearby. */
  formatShort(value: number): string
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
