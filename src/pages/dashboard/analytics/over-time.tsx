import { OverTimeDocument, type OverTimeQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { Chart } from '../../parts/chart/chart.tsx'
import { labelsOf, type Series } from '../../parts/chart/series.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/choice.tsx'
import { formatsOf, wholeOf } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { inAddress, intervals } from './report-settings.ts'

const words = texts.analytics

/** The chosen metric over time, and over the time that it is compared with. */
export function OverTime({ asked, about, choose }: ReportsProps) {
  const { metric, interval, compare } = asked
  const compareTo = compare === 'NONE' ? null : compare
  return (
    <Report
      title={words.overTime(words.metrics[metric])}
      document={OverTimeDocument}
      variables={{ ...about, metric, interval, compareTo }}
      view="chart"
      isEmpty={({ analytics: { timeSeries } }) => seriesOf(timeSeries, about.currency).points.every(isNothing)}
      actions={
        <Choice
          label={words.interval}
          value={interval}
          options={intervals.map((value) => ({ value, name: words.intervals[value] }))}
          onChange={(value) => choose({ interval: inAddress(value) })}
        />
      }
    >
      {({ analytics: { timeSeries } }) => {
        const series = seriesOf(timeSeries, about.currency)
        return (
          <>
            <Chart series={series} look={series.points.length > 1 ? 'line' : 'bars'} emptyText={words.none} />
            {compareTo && (
              <p className="chart-key quiet">
                <span className="key-now">{words.ranges[asked.range]}</span>
                <span className="key-before">{words.comparisons[compareTo]}</span>
              </p>
            )}
          </>
        )
      }}
    </Report>
  )
}

const isNothing = ({ value, before }: Series['points'][number]) => !value && !before

/** What it is, the result says itself: while the next one is loading, another metric is chosen already. */
function seriesOf(timeSeries: OverTimeQuery['analytics']['timeSeries'], currency: string): Series {
  const { metric, interval, points } = timeSeries
  const labelOf = labelsOf(
    points.map(({ start }) => start),
    interval,
  )
  return {
    name: words.metrics[metric],
    ...formatsOf(metric, currency),
    interval,
    points: points.map(({ start, value, money, comparison, comparisonMoney }) => ({
      start,
      label: labelOf(start),
      value: wholeOf(metric, { value, money }),
      ...((comparison ?? comparisonMoney) !== null && {
        before: wholeOf(metric, { value: comparison, money: comparisonMoney }),
      }),
    })),
  }
}
