import { useState } from 'react'
import { type AnalyticsInterval, PerformanceDocument, type PerformanceQuery } from '../../generated/portal/graphql.ts'
import { Chart } from '../parts/chart/chart.tsx'
import type { Series } from '../parts/chart/series.ts'
import { formatMoney } from '../parts/format.tsx'
import { formatNumber } from '../parts/locale.ts'
import { FailureNotice } from './failure-notice.tsx'
import { type Metric, seriesOf } from './series.ts'
import { SubTable } from './sub-table.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

type Range = { preset: 'LAST_30_DAYS' | 'LAST_90_DAYS' | 'LAST_12_MONTHS'; interval: AnalyticsInterval }

const last30Days: Range = { preset: 'LAST_30_DAYS', interval: 'DAY' }
const ranges: Range[] = [
  last30Days,
  { preset: 'LAST_90_DAYS', interval: 'WEEK' },
  { preset: 'LAST_12_MONTHS', interval: 'MONTH' },
]

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Visitors, leads, conversions and earnings over time, as a chart and as a table. */
export function Performance({ currencies }: { currencies: string[] }) {
  const words = texts.performance
  const [range, setRange] = useState(last30Days)
  const [currency, setCurrency] = useState(currencies[0] as string)
  const [metric, setMetric] = useState<Metric>('visitors')
  const { preset, interval } = range
  const variables = { range: { preset }, interval, timeZone, currency }
  const { data, failure, isLoading, retry } = useQuery(PerformanceDocument, variables)
  const analytics = data?.me.analytics
  // Read from the result, not from the state: while a new range loads, the previous result is still shown.
  const series = analytics && seriesOf(analytics)

  return (
    <section aria-labelledby="performance">
      <div className="head">
        <h2 id="performance">{words.title}</h2>
        <div className="choices">
          {currencies.length > 1 && (
            <label>
              {words.earningsIn}{' '}
              <select value={currency} onChange={({ target }) => setCurrency(target.value)}>
                {currencies.map((code) => (
                  <option key={code} value={code}>
                    {code.toUpperCase()}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            {words.range}{' '}
            <select
              value={preset}
              onChange={({ target }) => setRange(ranges.find((option) => option.preset === target.value) ?? range)}
            >
              {ranges.map(({ preset }) => (
                <option key={preset} value={preset}>
                  {words.ranges[preset]}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {!series && isLoading && <p className="quiet">{texts.loading}</p>}
      {analytics && series && (
        <div aria-busy={isLoading}>
          <MetricButtons
            totals={analytics.totals}
            currency={analytics.currency}
            selected={metric}
            onSelect={setMetric}
          />
          <Chart series={series[metric]} emptyText={words.empty} />
          <SeriesTable series={series} intervalName={words.intervals[analytics.visitors.interval]} />
          <SubTable subs={analytics.subs} />
        </div>
      )}
    </section>
  )
}

type MetricButtonsProps = {
  totals: PerformanceQuery['me']['analytics']['totals']
  currency: string
  selected: Metric
  onSelect(metric: Metric): void
}

/** The totals of the range. Each is a button that selects the metric of the chart. */
function MetricButtons({ totals, currency, selected, onSelect }: MetricButtonsProps) {
  const words = texts.performance
  const button = (metric: Metric, value: string) => (
    <button type="button" aria-pressed={selected === metric} onClick={() => onSelect(metric)}>
      <span>{words.metrics[metric]}</span>
      <strong>{value}</strong>
    </button>
  )
  return (
    <fieldset className="metrics">
      <legend className="unseen">{words.metric}</legend>
      {button('visitors', formatNumber(totals.visitors))}
      {button('leads', formatNumber(totals.leads))}
      {button('conversions', formatNumber(totals.conversions))}
      {button('earnings', formatMoney(totals.commissionAccrued.amountCents, currency))}
    </fieldset>
  )
}

const SeriesTable = ({ series, intervalName }: { series: Record<Metric, Series>; intervalName: string }) => (
  <details>
    <summary>{texts.performance.asTable}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
    <section className="scrolls" aria-label={texts.performance.table} tabIndex={0}>
      <table className="series">
        <caption className="unseen">{texts.performance.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{intervalName}</th>
            {Object.values(series).map(({ name, unit }) => (
              <th key={name} scope="col" className="number">
                {unit ? texts.performance.inUnit(name, unit) : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.visitors.points.map(({ label, start }, index) => (
            <tr key={start}>
              <th scope="row">
                <time dateTime={start} dir="auto">
                  {label}
                </time>
              </th>
              {Object.values(series).map(({ name, points, formatShort }) => (
                <td key={name} className="number">
                  {formatShort(points[index]?.value ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)
