import { useEffect, useMemo, useRef, useState } from 'react'
import { useIsDark } from '../theme.ts'
import { drawChart } from './draw.ts'
import { type ChartChoice, type ChartData, chartOf, chartOptions, describeChart } from './series.ts'
import type { Table } from './tables.ts'

/** A ranking of many needs a line for each; the pane scrolls. */
const leastHeight = ({ kind, labels, series }: ChartData) =>
  kind === 'bar' ? Math.max(240, labels.length * (14 + 10 * series.length)) : 240

/** A table's amounts, drawn; over time as lines, else as bars. What is drawn can be chosen where there is a choice. */
export function Chart({ table, onTable }: { table: Table; onTable: () => void }) {
  const [wanted, want] = useState<Partial<ChartChoice>>({})
  const options = useMemo(() => chartOptions(table), [table])
  const drawn = useMemo(() => options && chartOf(table, options, wanted), [table, options, wanted])
  const isDark = useIsDark()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (!drawn || !canvas.current) return
    const chart = drawChart(canvas.current, drawn[0], isDark)
    return () => chart.destroy()
  }, [drawn, isDark])
  if (!options || !drawn) return <p className="nothing">These rows have no amounts to draw. The table shows them.</p>
  const [data, choice] = drawn
  const description = describeChart(data)
  const toggle = (name: string) => {
    const values = options.values.filter((one) => (one === name) !== choice.values.includes(one))
    if (values.length > 0) want({ ...choice, values })
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
            <select value={choice.label} onChange={(event) => want({ ...choice, label: event.target.value })}>
              {options.labels.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {options.currencies.length > 1 && (
          <label>
            in
            <select value={choice.currency} onChange={(event) => want({ ...choice, currency: event.target.value })}>
              {options.currencies.map((code) => (
                <option key={code} value={code}>
                  {code.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div className="canvas" style={{ minHeight: leastHeight(data) }}>
        <canvas ref={canvas} role="img" aria-label={description} />
      </div>
      <p className="chart-text">
        {description}{' '}
        <button type="button" onClick={onTable}>
          Show these rows as a table
        </button>
      </p>
    </div>
  )
}
