import { useEffect, useRef, useState } from 'react'
import { gridLinesOf, type Series } from './series.ts'

const height = 220
const marginBottom = 26
const marginTop = 18
/** The width of a label below the axis, and of one character of the labels at the grid lines. */
const labelWidth = 72
const characterWidth = 7.5

/**
 * A bar chart. Screen readers get one sentence; the table below it has every number. It is drawn at its actual width, not
 * scaled, so that its text is as large as the text around it.
 */
export function Chart({ series: { name, points, format, formatShort } }: { series: Series }) {
  const [frame, width] = useWidth()
  const values = points.map(({ value }) => value)
  const gridLines = gridLinesOf(values)
  const [low, high] = [gridLines[0] as number, gridLines.at(-1) as number]
  const y = (value: number) => marginTop + ((high - value) / (high - low)) * (height - marginTop - marginBottom)
  const left = Math.max(...gridLines.map((line) => formatShort(line).length)) * characterWidth + 8
  const slotWidth = Math.max(0, width - left) / Math.max(1, points.length)
  const x = (index: number) => left + index * slotWidth
  const barWidth = Math.max(2, Math.min(36, slotWidth * 0.72))
  const labelEvery = Math.max(1, Math.ceil(labelWidth / slotWidth))
  const isEmpty = values.every((value) => value === 0)

  return (
    <div ref={frame} className="chart">
      {width > 0 && (
        <svg role="img" aria-label={descriptionOf(name, points, format)} width={width} height={height}>
          {gridLines.map((line) => (
            <g key={line} className={line === 0 ? 'zero' : undefined}>
              <line x1={left} x2={width} y1={y(line)} y2={y(line)} />
              <text className="grid-label" x={left - 8} y={y(line) + 4}>
                {formatShort(line)}
              </text>
            </g>
          ))}
          {points.map(({ start, label, value }, index) => (
            <g key={start}>
              <rect
                className="slot"
                x={x(index)}
                y={marginTop}
                width={slotWidth}
                height={height - marginTop - marginBottom}
              >
                <title>{`${label}: ${format(value)}`}</title>
              </rect>
              {value !== 0 && (
                <rect
                  className="bar"
                  x={x(index) + (slotWidth - barWidth) / 2}
                  y={Math.min(y(value), y(0))}
                  width={barWidth}
                  height={Math.max(1, Math.abs(y(value) - y(0)))}
                  rx={Math.min(3, barWidth / 3)}
                />
              )}
              {index % labelEvery === 0 && x(index) + labelWidth <= width + slotWidth / 2 && (
                <text x={x(index) + (slotWidth - barWidth) / 2} y={height - 8}>
                  {label}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
      {isEmpty && <p className="quiet">No activity in this period. Share your link to get started.</p>}
    </div>
  )
}

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
