import { useEffect, useRef, useState } from 'react'
import { gridOf, type Series } from './series.ts'

const height = 220
const below = 26
const above = 18
/** So much room has the name of a point, and a letter of what is written beside a line. */
const labelWidth = 72
const letterWidth = 7.5

/**
 * A series as bars. To those who do not see it, it is a picture with a sentence; the table below has each number.
 * It is drawn in the size that it is shown in, so that its letters are as large as those around it.
 */
export function Chart({ series: { name, points, write, writeShort } }: { series: Series }) {
  const [frame, width] = useWidth()
  const values = points.map(({ value }) => value)
  const grid = gridOf(values)
  const [low, high] = [grid[0] as number, grid.at(-1) as number]
  const y = (value: number) => above + ((high - value) / (high - low)) * (height - above - below)
  const left = Math.max(...grid.map((line) => writeShort(line).length)) * letterWidth + 8
  const slot = Math.max(0, width - left) / Math.max(1, points.length)
  const x = (n: number) => left + n * slot
  const bar = Math.max(2, Math.min(36, slot * 0.72))
  const every = Math.max(1, Math.ceil(labelWidth / slot))
  const isEmpty = values.every((value) => value === 0)

  return (
    <div ref={frame} className="chart">
      {width > 0 && (
        <svg role="img" aria-label={sentenceOf(name, points, write)} width={width} height={height}>
          {grid.map((line) => (
            <g key={line} className={line === 0 ? 'zero' : undefined}>
              <line x1={left} x2={width} y1={y(line)} y2={y(line)} />
              <text className="beside" x={left - 8} y={y(line) + 4}>
                {writeShort(line)}
              </text>
            </g>
          ))}
          {points.map(({ start, label, value }, n) => (
            <g key={start}>
              <rect className="slot" x={x(n)} y={above} width={slot} height={height - above - below}>
                <title>{`${label}: ${write(value)}`}</title>
              </rect>
              {value !== 0 && (
                <rect
                  className="bar"
                  x={x(n) + (slot - bar) / 2}
                  y={Math.min(y(value), y(0))}
                  width={bar}
                  height={Math.max(1, Math.abs(y(value) - y(0)))}
                  rx={Math.min(3, bar / 3)}
                />
              )}
              {n % every === 0 && x(n) + labelWidth <= width + slot / 2 && (
                <text x={x(n) + (slot - bar) / 2} y={height - 8}>
                  {label}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
      {isEmpty && <p className="quiet">Nothing in this time. Share your link, and it shows here.</p>}
    </div>
  )
}

function sentenceOf(name: string, points: Series['points'], write: Series['write']): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return name
  const most = points.reduce((best, point) => (point.value > best.value ? point : best), first)
  const range = `${name} from ${first.label} to ${last.label}`
  return most.value > 0 ? `${range}: the most were ${write(most.value)}, ${most.label}.` : `${range}: none.`
}

/** How wide an element is, as it is now. */
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
