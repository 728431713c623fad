import { useEffect, useMemo, useRef, useState } from 'react'
import type { Table } from '../../parts/result/tables.ts'
import { useIsDark } from '../theme.ts'
import { drawChart } from './draw-chart.ts'
import { type ChartChoice, type ChartData, chartOf, chartOptions, describeChart } from './series.ts'

/** Bar charts grow with their rows, and the pane scrolls. */
const minHeightOf = ({ kind, labels, series }: ChartData) =>
  kind === 'bar' ? Math.max(240, labels.length * (14 + 10 * series.length)) : 240

/** A chart of a table: lines over time, otherwise bars. The user can select columns, labels and the currency. */
export function Chart({ table, onTable }: { table: Table; onTable: () => void }) {
  const [selection, setSelection] = useState<Partial<ChartChoice>>({})
  const options = useMemo(() => chartOptions(table), [table])
  const drawn = useMemo(() => options && chartOf(table, options, selection), [table, options, selection])
  const isDark = useIsDark()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (!drawn || !canvas.current) return
    const chart = drawChart(canvas.current, drawn[0], isDark)
    return () => chart.destroy()
  }, [drawn, isDark])
  if (!options || !drawn) return <p className="nothing">These rows have no numbers to draw. Use the table instead.</p>
  const [data, choice] = drawn
  const description = describeChart(data)
  const toggle = (name: string) => {
    const values = options.values.filter((value) => (value === name) !== choice.values.includes(value))
    if (values.length > 0) setSelection({ ...choice, values })
  }
  return (
    <div className="chart-view">
      <div className="chart-choices">
        {options.values.length > 1 && (
          <fieldset>
            <legend>Draw</legend>
            {options.values.map((name) => (
              <label key={name}>
                <input type="checkbox" checked={choice.values.includes(name)} onChange={() => toggle(name)} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        {options.labels.length > 1 && (
          <label>
            by
            <select value={choice.label} onChange={(event) => setSelection({ ...choice, label: event.target.value })}>
              {options.labels.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {options.currencies.length > 1 && (
          <label>
            in
            <select
              value={choice.currency}
              onChange={(event) => setSelection({ ...choice, currency: event.target.value })}
            >
              {options.currencies.map((code) => (
                <option key={code} value={code}>
                  {code.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div className="canvas" style={{ minHeight: minHeightOf(data) }}>
        <canvas ref={canvas} role="img" aria-label={description} />
      </div>
      <p className="chart-text">
        {description}{' '}
        <button type="button" onClick={onTable}>
          Show as a table
        </button>
      </p>
    </div>
  )
}
