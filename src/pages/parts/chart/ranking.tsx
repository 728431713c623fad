import { characterWidth, type PlotProps } from './layout.ts'
import { colorOf, shorten } from './marks.tsx'

const barHeight = 14
const rowGap = 8
const gap = 8

/** Bars from left to right, with a name before each and its value behind it. It grows with its rows. */
export function Ranking({ labels, series, description, format, width }: PlotProps & { width: number }) {
  const values = series.flatMap(({ points }) => points.flatMap((value) => value ?? []))
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const names = labels.map(shorten)
  const left = Math.min(Math.max(...names.map(({ length }) => length)) * characterWidth, width * 0.4) + gap
  const right = Math.max(...values.map((value) => format(value).length), 0) * characterWidth + gap
  const scale = Math.max(0, width - left - right) / (high - low || 1)
  const x = (value: number) => left + (value - low) * scale
  const rowHeight = series.length * barHeight + rowGap
  return (
    <svg role="img" aria-label={description} width={width} height={labels.length * rowHeight + rowGap}>
      {names.map((name, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two names can be equal, and rows have no state
        <g key={`${row} ${name}`} transform={`translate(0 ${row * rowHeight + rowGap})`}>
          <text className="grid-label" x={left - gap} y={(rowHeight - rowGap) / 2 + 4}>
            {name}
          </text>
          {series.map((one, n) => {
            const value = one.points[row] ?? null
            if (value === null) return null
            return (
              <g key={one.name} className={colorOf(one, n)} transform={`translate(0 ${n * barHeight})`}>
                <rect
                  className="bar"
                  x={Math.min(x(0), x(value))}
                  y={1}
                  width={Math.max(1, Math.abs(x(value) - x(0)))}
                  height={barHeight - 2}
                  rx={3}
                />
                <text x={Math.max(x(0), x(value)) + gap} y={barHeight - 3}>
                  {format(value)}
                </text>
              </g>
            )
          })}
        </g>
      ))}
    </svg>
  )
}
