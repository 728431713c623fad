/** The width of one character of the labels. */
export const characterWidth = 7.5

/** The width of all bars of a slot. */
export const barsWidthOf = (slotWidth: number, count = 1): number => Math.max(2, Math.min(36 * count, slotWidth * 0.72))

/** What of a chart is one line, or one bar for each label. Null: there is no value. */
export type PlotSeries = { name: string; points: readonly (number | null)[]; isComparison?: boolean }

/** Where the parts of a chart are, in pixels. */
export type Layout = {
  width: number
  height: number
  slotWidth: number
  x(index: number): number
  y(value: number): number
}

export type PlotProps = {
  labels: readonly string[]
  series: readonly PlotSeries[]
  /** Lines suit time, bars suit a few values, a ranking has long names and many rows. */
  look: 'bars' | 'line' | 'ranking'
  /** What the chart shows, in words. */
  description: string
  format(value: number): string
  /** Without the unit, for the axis. */
  formatShort(value: number): string
  height?: number
  /** The least distance of two grid lines: 1 for whole numbers. */
  leastStep?: number
  hasLegend?: boolean
  /** What is said of the last point, if its time is not over. */
  unfinished?: string | undefined
}
