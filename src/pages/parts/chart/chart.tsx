import { partTexts } from '../texts.ts'
import { Plot } from './plot.tsx'
import { isUnfinished, type Series } from './series.ts'

type ChartProps = {
  series: Series
  /** `bars` by default. A line suits points that are compared with earlier ones. */
  look?: 'bars' | 'line'
  /** Shown below a chart without values. */
  emptyText: string
}

/** A chart of one metric over time, and of what it is compared with. */
export function Chart({
  series: { name, points, format, formatShort, formatTick = formatShort, interval },
  look = 'bars',
  emptyText,
}: ChartProps) {
  const isCompared = points.some(({ before }) => before !== undefined)
  const before = { name: 'before', points: points.map((point) => point.before ?? null), isComparison: true }
  const last = points.at(-1)
  const isOpen = last !== undefined && isUnfinished(last.start, interval, Date.now())
  const isEmpty = points.every((point) => point.value === 0 && !point.before)
  return (
    <>
      <Plot
        labels={points.map(({ label }) => label)}
        series={[{ name, points: points.map(({ value }) => value) }, ...(isCompared ? [before] : [])]}
        look={look}
        description={descriptionOf(name, points, format)}
        format={format}
        formatShort={formatTick}
        unfinished={isOpen ? partTexts().chart.soFar(last.label) : undefined}
      />
      {isEmpty && <p className="quiet">{emptyText}</p>}
    </>
  )
}

function descriptionOf(name: string, points: Series['points'], format: Series['format']): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return name
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first)
  const texts = partTexts().chart
  const range = texts.range(name, first.label, last.label)
  return highest.value > 0 ? texts.highest(range, format(highest.value), highest.label) : texts.empty(range)
}
