import { useState } from 'react'
import { CurrenciesDocument } from '../../../generated/dashboard/figures/graphql.ts'
import { currenciesInOrder } from '../../../kernel/money/currency-order.ts'
import { Chart } from '../../parts/chart/chart.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { type Loaded, useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { lastMonth, type Range, ranges, timeZone } from './ranges.ts'
import { type Analytics, changeOf, isEmpty, type Metric, type MetricSeries, metrics, seriesOf } from './series.ts'

const words = texts.home.figures

/** What figures are asked for. */
export type Wanted = { range: Range; currency: string }

/** The range and the currency of figures, and how to change them. */
export function useWanted() {
  const { program } = useProgram()
  const [wanted, setWanted] = useState<Wanted>({ range: lastMonth, currency: program.currency })
  const { range, currency } = wanted
  const variables = { range: { preset: range.preset }, interval: range.interval, timeZone, currency }
  return { wanted, setWanted, variables }
}

type FiguresCardProps = Pick<Loaded<unknown>, 'failure' | 'isLoading' | 'retry'> & {
  title: string
  analytics: Analytics | undefined
  wanted: Wanted
  onWanted(wanted: Wanted): void
}

/** Chooses the currency and the range. */
export const WantedChoice = ({
  wanted: { range, currency },
  onWanted,
}: Pick<FiguresCardProps, 'wanted' | 'onWanted'>) => (
  <>
    <CurrencyChoice currency={currency} onChange={(given) => onWanted({ range, currency: given })} />
    <label className="filter">
      <span>{words.range}</span>
      <select
        value={range.preset}
        onChange={({ target }) =>
          onWanted({ currency, range: ranges.find(({ preset }) => preset === target.value) ?? lastMonth })
        }
      >
        {ranges.map((one) => (
          <option key={one.preset} value={one.preset}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  </>
)

/** Revenue, commissions, conversions and visitors over time, with the period before. */
export function FiguresCard({ title, analytics, wanted, onWanted, failure, isLoading, retry }: FiguresCardProps) {
  const [metric, setMetric] = useState<Metric>('revenue')
  const { range } = wanted
  const series = analytics && seriesOf(analytics)
  return (
    <Card title={title} className="figures" actions={<WantedChoice wanted={wanted} onWanted={onWanted} />}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!series && !failure && <Skeleton lines={8} />}
      {series && (
        <div aria-busy={isLoading}>
          <MetricButtons series={series} selected={metric} onSelect={setMetric} />
          {isEmpty(series[metric]) ? (
            <Empty title={words.none} text={words.noneText} />
          ) : (
            <>
              <Chart series={series[metric]} look="line" emptyText={words.none} />
              <p className="chart-key quiet">
                <span className="key-now">{range.name}</span>
                <span className="key-before">{words.before}</span>
              </p>
            </>
          )}
        </div>
      )}
    </Card>
  )
}

type MetricButtonsProps = { series: Record<Metric, MetricSeries>; selected: Metric; onSelect(metric: Metric): void }

const MetricButtons = ({ series, selected, onSelect }: MetricButtonsProps) => (
  <fieldset className="metrics">
    <legend className="unseen">{words.metric}</legend>
    {metrics.map((metric) => {
      const { name, total, totalBefore, format } = series[metric]
      const change = changeOf(total, totalBefore)
      return (
        <button key={metric} type="button" aria-pressed={metric === selected} onClick={() => onSelect(metric)}>
          <span>{name}</span>
          <strong>{format(total)}</strong>
          <span className={!change ? 'change' : change < 0 ? 'change down' : 'change up'}>
            {change === null ? (
              words.noneBefore
            ) : (
              <>
                {words.change(change)}
                <span className="unseen"> {words.changeMeaning}</span>
              </>
            )}
          </span>
        </button>
      )
    })}
  </fieldset>
)

/** Programs that sell in one currency need no choice. */
function CurrencyChoice({ currency, onChange }: { currency: string; onChange(currency: string): void }) {
  const { program } = useProgram()
  const { data } = useData(CurrenciesDocument, { timeZone })
  const sold = data?.analytics.top.map(({ label }) => label.toLowerCase()) ?? []
  const currencies = currenciesInOrder([program.currency, ...sold], program.currency)
  if (currencies.length < 2) return null
  return (
    <label className="filter">
      <span>{words.currency}</span>
      <select value={currency} onChange={({ target }) => onChange(target.value)}>
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code.toUpperCase()}
          </option>
        ))}
      </select>
    </label>
  )
}
