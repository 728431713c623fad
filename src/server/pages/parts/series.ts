import { formatDate } from './locale.ts'
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
const monthFormat = { month: 'short', year: 'numeric' } as const

/** The label of an interval that begins at `start`, in the program's locale. */
export const labelOf = (start: string, interval: string) =>
  formatDate(start, interval === 'MONTH' ? monthFormat : dayFormat)

/**
 * Returns the grid lines of a chart, lowest first: round numbers that enclose all values and include 0. They are whole
 * numbers, because counts and minor units are.
 */
export function gridLinesOf(values: readonly number[]): number[] {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)]
  const roughStep = Math.max(1, (highest - lowest) / 3)
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= roughStep) ?? 10) * power)
  const lines: number[] = []
  for (let line = Math.floor(lowest / step) * step; line < highest + step; line += step) lines.push(line)
  return lines.length > 1 ? lines : [0, 1]
}
