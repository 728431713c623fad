import { useState } from 'react'
import {
  type AnalyticsInterval,
  NumbersDocument,
  type NumbersQuery,
  type RangePreset,
} from '../../../generated/portal/graphql.ts'
import { Chart } from './chart.tsx'
import { readableMoney } from './format.tsx'
import { TroubleNote } from './notice.tsx'
import { type Series, seriesOf, type What } from './series.ts'
import { useAnswer } from './use-answer.ts'

const ranges: { name: string; preset: RangePreset; interval: AnalyticsInterval }[] = [
  { name: '30 days', preset: 'LAST_30_DAYS', interval: 'DAY' },
  { name: '90 days', preset: 'LAST_90_DAYS', interval: 'WEEK' },
  { name: '12 months', preset: 'LAST_12_MONTHS', interval: 'MONTH' },
]
type Range = (typeof ranges)[number]

const nameOfInterval: Record<AnalyticsInterval, string> = {
  DAY: 'Day',
  WEEK: 'Week of',
  MONTH: 'Month',
  QUARTER: 'Quarter',
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Visitors, and what came of them, over time: drawn, and in a table. */
export function OverTime({ currencies }: { currencies: string[] }) {
  const [range, setRange] = useState(ranges[0] as Range)
  const [currency, setCurrency] = useState(currencies[0] as string)
  const [what, setWhat] = useState<What>('visitors')
  const { preset, interval } = range
  const variables = { range: { preset }, interval, timeZone, currency }
  const { data, trouble, isLoading, askAgain } = useAnswer(NumbersDocument, variables)
  const analytics = data?.me.analytics
  // Of the answer as it is, which for a moment is still the one to the last question.
  const series = analytics && seriesOf(analytics)

  return (
    <section aria-labelledby="over-time">
      <div className="head">
        <h2 id="over-time">Over time</h2>
        <div className="choices">
          {currencies.length > 1 && (
            <label>
              Earnings in{' '}
              <select value={currency} onChange={({ target }) => setCurrency(target.value)}>
                {currencies.map((one) => (
                  <option key={one} value={one}>
                    {one.toUpperCase()}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            Range{' '}
            <select
              value={preset}
              onChange={({ target }) => setRange(ranges.find((one) => one.preset === target.value) ?? range)}
            >
              {ranges.map((one) => (
                <option key={one.preset} value={one.preset}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      {trouble && <TroubleNote trouble={trouble} onRetry={askAgain} />}
      {!series && isLoading && <p className="quiet">Loading …</p>}
      {analytics && series && (
        <div aria-busy={isLoading}>
          <Totals of={analytics.totals} currency={analytics.currency} what={what} onChoose={setWhat} />
          <Chart series={series[what]} />
          <AsTable series={series} each={nameOfInterval[analytics.visitors.interval]} />
        </div>
      )}
    </section>
  )
}

type TotalsProps = {
  of: NumbersQuery['me']['analytics']['totals']
  currency: string
  what: What
  onChoose(what: What): void
}

/** What the range comes to; each chooses what is drawn. */
function Totals({ of, currency, what, onChoose }: TotalsProps) {
  const total = (one: What, name: string, value: string) => (
    <button type="button" aria-pressed={what === one} onClick={() => onChoose(one)}>
      <span>{name}</span>
      <strong>{value}</strong>
    </button>
  )
  return (
    <fieldset className="totals">
      <legend className="unseen">What to draw</legend>
      {total('visitors', 'Visitors', of.visitors.toLocaleString())}
      {total('leads', 'Leads', of.leads.toLocaleString())}
      {total('conversions', 'Conversions', of.conversions.toLocaleString())}
      {total('earnings', 'Earnings', readableMoney(of.commissionAccrued.amountCents, currency))}
    </fieldset>
  )
}

const AsTable = ({ series, each }: { series: Record<What, Series>; each: string }) => (
  <details>
    <summary>The same as a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard, to be scrolled by it */}
    <section className="scrolls" aria-label="Numbers over time" tabIndex={0}>
      <table className="series">
        <caption className="unseen">Visitors, leads, conversions and earnings over time</caption>
        <thead>
          <tr>
            <th scope="col">{each}</th>
            {Object.values(series).map(({ name, unit }) => (
              <th key={name} scope="col" className="number">
                {unit ? `${name}, ${unit}` : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.visitors.points.map(({ label, start }, n) => (
            <tr key={start}>
              <th scope="row">
                <time dateTime={start}>{label}</time>
              </th>
              {Object.values(series).map(({ name, points, writeShort }) => (
                <td key={name} className="number">
                  {writeShort(points[n]?.value ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)
