import { useMemo, useState } from 'react'
import { Plot } from '../../parts/chart/plot.tsx'
import type { Table } from '../../parts/result/tables.ts'
import { type ChartChoice, type ChartData, chartOf, chartOptions, describeChart, formatPoint } from './series.ts'

/** Time runs from left to right. Long names fit beside bars that run in that direction. */
const lookOf = ({ kind, labels }: ChartData) => (kind === 'line' ? 'line' : labels.length > 4 ? 'ranking' : 'bars')

/** A chart of a table: lines over time, otherwise bars. The user can select columns, labels and the currency. */
export function Chart({ table, onTable }: { table: Table; onTable: () => void }) {
  const [selection, setSelection] = useState<Partial<ChartChoice>>({})
  const options = useMemo(() => chartOptions(table), [table])
  const drawn = useMemo(() => options && chartOf(table, options, selection), [table, options, selection])
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
      <Plot
        {...data}
        look={lookOf(data)}
        description={description}
        format={(value) => formatPoint(value, data)}
        formatShort={(value) => formatPoint(value, { isRate: data.isRate })}
        height={300}
        leastStep={0}
        hasLegend
      />
      <p className="chart-text">
        {description}{' '}
        <button type="button" onClick={onTable}>
          Show as a table
        </button>
      </p>
    </div>
  )
}
