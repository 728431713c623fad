import { barsWidthOf, characterWidth, type Layout, type PlotSeries } from './layout.ts'

const colors = 8

/** The class of a series' colour. From the ninth on, lines are dashed and the colours begin again. */
export const colorOf = ({ isComparison }: PlotSeries, index: number): string =>
  isComparison ? 'before' : `series-${index % colors}${index < colors ? '' : ' again'}`

export const Legend = ({ series }: { series: readonly PlotSeries[] }) => (
  <ul className="chart-legend">
    {series.map((one, index) => (
      <li key={one.name} className={colorOf(one, index)}>
        {one.name}
      </li>
    ))}
  </ul>
)

/** The space between two labels below the axis. */
const labelGap = 16

export function PointLabels({ labels, layout }: { labels: readonly string[]; layout: Layout }) {
  const { x, slotWidth, width, height } = layout
  const textWidth = Math.max(...labels.map(({ length }) => length)) * characterWidth
  const labelEvery = Math.max(1, Math.ceil((textWidth + labelGap) / slotWidth))
  const indent = (slotWidth - barsWidthOf(slotWidth)) / 2
  return labels.map(
    (label, index) =>
      index % labelEvery === 0 &&
      x(index) + indent + textWidth <= width && (
        // biome-ignore lint/suspicious/noArrayIndexKey: two labels can be equal, and texts have no state
        <text key={`${index} ${label}`} x={x(index) + indent} y={height - 8}>
          {label}
        </text>
      ),
  )
}

const lineHeight = 17
const padding = 8
/** A box with more lines is higher than the chart. */
const maxLines = 10

type TipProps = {
  label: string
  index: number
  series: readonly PlotSeries[]
  layout: Layout
  format(value: number): string
}

/** A box with the values at the pointer, largest first if they are many. */
export function Tip({ label, index, series, layout, format }: TipProps) {
  const known = series.flatMap((one, n) => {
    const value = one.points[index] ?? null
    return value === null ? [] : [{ name: one.name, value, color: colorOf(one, n) }]
  })
  const shown = known.length > maxLines ? [...known].sort((one, other) => other.value - one.value) : known
  const lines = shown
    .slice(0, maxLines)
    .map(({ name, value, color }) => ({ color, text: `${shorten(name)}: ${format(value)}` }))
  const more = known.length - lines.length
  const rows = [...lines, ...(more > 0 ? [{ color: '', text: `and ${more} more` }] : [])]
  const width = Math.max(label.length, ...rows.map(({ text }) => text.length + 2)) * 6.6 + 2 * padding
  const height = (rows.length + 1) * lineHeight + padding
  const center = layout.x(index) + layout.slotWidth / 2
  const x = center + 10 + width > layout.width ? Math.max(0, center - 10 - width) : center + 10
  return (
    <g className="tip" transform={`translate(${x} 4)`}>
      <rect width={width} height={height} rx={6} />
      <text className="tip-label" x={padding} y={lineHeight}>
        {label}
      </text>
      {rows.map(({ text, color }, n) => (
        <g key={text} className={color} transform={`translate(${padding} ${(n + 2) * lineHeight - 1})`}>
          {color && <circle cx={4} cy={-4} r={4} />}
          <text x={13}>{text}</text>
        </g>
      ))}
    </g>
  )
}

export const shorten = (text: string): string => (text.length > 28 ? `${text.slice(0, 27)}…` : text)
