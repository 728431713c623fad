import { barsWidthOf, type Layout, type PlotSeries } from './layout.ts'

type ShapesProps = {
  look: 'bars' | 'line' | 'ranking'
  series: readonly PlotSeries[]
  /** Which of the series is drawn. */
  index: number
  layout: Layout
  pointed: number | null
  className: string
  /** Whether the last point is of a time that is not over: it is lighter, or the way to it is dashed. */
  isUnfinished: boolean
}

/** One series of a chart. */
export function Shapes(props: ShapesProps) {
  return <g className={props.className}>{props.look === 'line' ? <Line {...props} /> : <Bars {...props} />}</g>
}

/** Bars of several series stand side by side. */
function Bars({ series, index: at, layout: { x, y, slotWidth }, isUnfinished }: ShapesProps) {
  const ofSlot = barsWidthOf(slotWidth, series.length)
  const width = ofSlot / series.length
  return series[at]?.points.map(
    (value, index) =>
      value !== null &&
      value !== 0 && (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have no ids and no state
          key={index}
          className={isUnfinished && index === (series[at]?.points.length ?? 0) - 1 ? 'bar unfinished' : 'bar'}
          x={x(index) + (slotWidth - ofSlot) / 2 + at * width}
          y={Math.min(y(value), y(0))}
          width={Math.max(1, width - (series.length > 1 ? 1 : 0))}
          height={Math.max(1, Math.abs(y(value) - y(0)))}
          rx={Math.min(3, width / 3)}
        />
      ),
  )
}

/** A line, over an area if there is no other to compare it with but an earlier one. */
function Line({ series, index: at, layout: { x, y, slotWidth }, pointed, isUnfinished }: ShapesProps) {
  const own = series[at]
  if (!own) return null
  const place = (index: number, value: number) => ({ x: x(index) + slotWidth / 2, y: y(value) })
  const isAlone = !own.isComparison && series.every((other) => other === own || other.isComparison)
  const value = pointed === null ? null : (own.points[pointed] ?? null)
  const dot = pointed !== null && value !== null && !own.isComparison ? place(pointed, value) : undefined
  return (
    <>
      {partsOf(own.points).map(({ from, values }) => {
        const places = values.map((one, n) => place(from + n, one))
        const line = places.map((one) => `${one.x},${one.y}`).join(' ')
        const [first, last] = [places[0], places.at(-1)]
        const isOpen = isUnfinished && from + values.length === own.points.length
        if (!first || !last) return null
        if (values.length === 1) return <circle key={from} className="point" cx={first.x} cy={first.y} r={3} />
        return (
          <g key={from}>
            {isAlone && <polygon className="area" points={`${first.x},${y(0)} ${line} ${last.x},${y(0)}`} />}
            <polyline points={isOpen ? line.slice(0, line.lastIndexOf(' ')) : line} />
            {isOpen && <polyline className="unfinished" points={line.split(' ').slice(-2).join(' ')} />}
          </g>
        )
      })}
      {dot && <circle className="dot" cx={dot.x} cy={dot.y} r={4} />}
    </>
  )
}

/** The parts of a line between points without a value. */
function partsOf(points: readonly (number | null)[]): { from: number; values: number[] }[] {
  const parts: { from: number; values: number[] }[] = []
  let isOpen = false
  for (const [index, value] of points.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    if (isOpen) parts.at(-1)?.values.push(value)
    else parts.push({ from: index, values: [value] })
    isOpen = true
  }
  return parts
}
