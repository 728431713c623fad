import { useEffect, useRef, useState } from 'react'
import { characterWidth, type Layout, type PlotProps } from './layout.ts'
import { colorOf, Legend, PointLabels, Tip } from './marks.tsx'
import { Ranking } from './ranking.tsx'
import { gridLinesOf } from './series.ts'
import { Shapes } from './shapes.tsx'

const marginBottom = 26
const marginTop = 18

/**
 * A chart of one or more series. Screen readers get one sentence; a table next to it has every number. It is drawn at
 * its actual width, so that its text is as large as the text around it.
 */
export function Plot(props: PlotProps) {
  const [frame, width] = useWidth()
  return (
    <div ref={frame} className="chart">
      {width > 0 &&
        (props.look === 'ranking' ? <Ranking {...props} width={width} /> : <Upright {...props} width={width} />)}
      {props.hasLegend && props.series.length > 1 && <Legend series={props.series} />}
    </div>
  )
}

function Upright({
  labels,
  series,
  look,
  description,
  format,
  formatShort,
  height = 220,
  leastStep = 1,
  unfinished,
  width,
}: PlotProps & { width: number }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const gridLines = gridLinesOf(
    series.flatMap(({ points }) => points.flatMap((value) => value ?? [])),
    leastStep,
  )
  const [low, high] = [gridLines[0] as number, gridLines.at(-1) as number]
  const left = Math.max(...gridLines.map((line) => formatShort(line).length)) * characterWidth + 14
  const slotWidth = Math.max(0, width - left) / Math.max(1, labels.length)
  const layout: Layout = {
    width,
    height,
    slotWidth,
    x: (index) => left + index * slotWidth,
    y: (value) => marginTop + ((high - value) / (high - low)) * (height - marginTop - marginBottom),
  }
  return (
    <svg role="img" aria-label={description} width={width} height={height} onPointerLeave={() => setPointed(null)}>
      {gridLines.map((line) => (
        <g key={line} className={line === 0 ? 'zero' : undefined}>
          <line x1={left} x2={width} y1={layout.y(line)} y2={layout.y(line)} />
          <text className="grid-label" x={left - 8} y={layout.y(line) + 4}>
            {formatShort(line)}
          </text>
        </g>
      ))}
      {labels.map((label, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: two labels can be equal, and slots have no state
          key={`${index} ${label}`}
          className="slot"
          x={layout.x(index)}
          y={marginTop}
          width={slotWidth}
          height={height - marginTop - marginBottom}
          onPointerEnter={() => setPointed(index)}
        />
      ))}
      {behindFirst(series).map(({ one, index }) => (
        <Shapes
          key={one.name}
          look={look}
          series={series}
          index={index}
          layout={layout}
          pointed={pointed}
          className={colorOf(one, index)}
          isUnfinished={unfinished !== undefined && !one.isComparison}
        />
      ))}
      {unfinished !== undefined && (
        <text className="grid-label" x={width} y={12}>
          {unfinished}
        </text>
      )}
      <PointLabels labels={labels} layout={layout} />
      {pointed !== null && (
        <Tip
          label={(pointed === labels.length - 1 ? unfinished : undefined) ?? labels[pointed] ?? ''}
          index={pointed}
          series={series}
          layout={layout}
          format={format}
        />
      )}
    </svg>
  )
}

/** What others are compared with is drawn behind them. */
const behindFirst = (series: PlotProps['series']) => {
  const indexed = series.map((one, index) => ({ one, index }))
  return [...indexed.filter(({ one }) => one.isComparison), ...indexed.filter(({ one }) => !one.isComparison)]
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
