import { useEffect, useRef, useState } from 'react'
import { gridLinesOf, type Point, type Series } from './series.ts'

const height = 220
const marginBottom = 26
const marginTop = 18
/** The width of one character of the labels, and the space between two labels below the axis. */
const characterWidth = 7.5
const labelGap = 16

type ChartProps = {
  series: Series
  /** `bars` by default. A line suits points that are compared with earlier ones. */
  look?: 'bars' | 'line'
  /** Shown below a chart without values. */
  emptyText: string
}

/** Where the parts of a chart are, in pixels. */
type Layout = {
  width: number
  left: number
  slotWidth: number
  x(index: number): number
  y(value: number): number
}

/**
 * A chart of one metric over time. Screen readers get one sentence; a table next to it has every number. It is drawn at
 * its actual width, so that its text is as large as the text around it.
 */
export function Chart({ series: { name, points, format, formatShort }, look = 'bars', emptyText }: ChartProps) {
  const [frame, width] = useWidth()
  const [pointed, setPointed] = useState<number | null>(null)
  const values = points.flatMap(({ value, before }) => (before === undefined ? [value] : [value, before]))
  const gridLines = gridLinesOf(values)
  const [low, high] = [gridLines[0] as number, gridLines.at(-1) as number]
  const left = Math.max(...gridLines.map((line) => formatShort(line).length)) * characterWidth + 14
  const slotWidth = Math.max(0, width - left) / Math.max(1, points.length)
  const layout: Layout = {
    width,
    left,
    slotWidth,
    x: (index) => left + index * slotWidth,
    y: (value) => marginTop + ((high - value) / (high - low)) * (height - marginTop - marginBottom),
  }
  const Shape = look === 'bars' ? Bars : Lines
  return (
    <div ref={frame} className="chart">
      {width > 0 && (
        <svg
          role="img"
          aria-label={descriptionOf(name, points, format)}
          width={width}
          height={height}
          onPointerLeave={() => setPointed(null)}
        >
          {gridLines.map((line) => (
            <g key={line} className={line === 0 ? 'zero' : undefined}>
              <line x1={left} x2={width} y1={layout.y(line)} y2={layout.y(line)} />
              <text className="grid-label" x={left - 8} y={layout.y(line) + 4}>
                {formatShort(line)}
              </text>
            </g>
          ))}
          {points.map((point, index) => (
            <rect
              key={point.start}
              className="slot"
              x={layout.x(index)}
              y={marginTop}
              width={slotWidth}
              height={height - marginTop - marginBottom}
              onPointerEnter={() => setPointed(index)}
            >
              <title>{sentenceOf(point, format)}</title>
            </rect>
          ))}
          <Shape points={points} layout={layout} pointed={pointed} />
          <Labels points={points} layout={layout} />
        </svg>
      )}
      {values.every((value) => value === 0) && <p className="quiet">{emptyText}</p>}
    </div>
  )
}

type ShapeProps = { points: readonly Point[]; layout: Layout; pointed: number | null }

const barWidthOf = ({ slotWidth }: Layout) => Math.max(2, Math.min(36, slotWidth * 0.72))

function Bars({ points, layout }: ShapeProps) {
  const { x, y, slotWidth } = layout
  const width = barWidthOf(layout)
  return points.map(
    ({ start, value }, index) =>
      value !== 0 && (
        <rect
          key={start}
          className="bar"
          x={x(index) + (slotWidth - width) / 2}
          y={Math.min(y(value), y(0))}
          width={width}
          height={Math.max(1, Math.abs(y(value) - y(0)))}
          rx={Math.min(3, width / 3)}
        />
      ),
  )
}

/** The values as a line over an area, and what they are compared with as a dashed line. */
function Lines({ points, layout: { x, y, slotWidth }, pointed }: ShapeProps) {
  const at = (index: number, value: number) => `${x(index) + slotWidth / 2},${y(value)}`
  const line = points.map(({ value }, index) => at(index, value)).join(' ')
  const before = points.flatMap(({ before }, index) => (before === undefined ? [] : [at(index, before)])).join(' ')
  const point = pointed === null ? undefined : points[pointed]
  return (
    <>
      <polygon className="area" points={`${at(0, 0)} ${line} ${at(points.length - 1, 0)}`} />
      {before && <polyline className="before" points={before} />}
      <polyline className="line" points={line} />
      {point && pointed !== null && (
        <circle className="dot" cx={x(pointed) + slotWidth / 2} cy={y(point.value)} r={4} />
      )}
    </>
  )
}

function Labels({ points, layout }: { points: readonly Point[]; layout: Layout }) {
  const { x, slotWidth, width } = layout
  const textWidth = Math.max(...points.map(({ label }) => label.length)) * characterWidth
  const labelEvery = Math.max(1, Math.ceil((textWidth + labelGap) / slotWidth))
  const indent = (slotWidth - barWidthOf(layout)) / 2
  return points.map(
    ({ start, label }, index) =>
      index % labelEvery === 0 &&
      x(index) + indent + textWidth <= width && (
        <text key={start} x={x(index) + indent} y={height - 8}>
          {label}
        </text>
      ),
  )
}

const sentenceOf = ({ label, value, before }: Point, format: Series['format']) =>
  `${label}: ${format(value)}${before === undefined ? '' : `, before: ${format(before)}`}`

function descriptionOf(name: string, points: Series['points'], format: Series['format']): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return name
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first)
  const range = `${name} from ${first.label} to ${last.label}`
  return highest.value > 0 ? `${range}. Highest: ${format(highest.value)} (${highest.label}).` : `${range}: none.`
}

/** The current width of an element. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return [frame, width] as const
}
