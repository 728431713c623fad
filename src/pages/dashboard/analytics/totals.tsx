import { TotalsDocument } from '../../../generated/dashboard/analytics/graphql.ts'
import { texts } from '../texts.ts'
import { changeOfTotal, formatTotal, metrics } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { inAddress } from './report-settings.ts'

const words = texts.analytics

/**
 * The total of every metric, and its change if the range is compared with another; what is due has none, because most
 * of what was due before is paid. Choosing one draws it over time, and ranks by it.
 */
export function Totals({ asked, about, choose }: ReportsProps) {
  const { compare, interval } = asked
  const isCompared = compare !== 'NONE'
  const compareTo = isCompared ? compare : 'PREVIOUS_PERIOD'
  return (
    <Report
      title={words.totals}
      lead={words.totalsLead}
      document={TotalsDocument}
      variables={{ ...about, interval, compareTo, isCompared }}
      view="table"
    >
      {({ analytics: { totals, comparison } }) => (
        <fieldset className="metrics">
          <legend className="unseen">{words.metric}</legend>
          {metrics.map((metric) => (
            <button
              key={metric}
              type="button"
              aria-pressed={metric === asked.metric}
              onClick={() => choose({ metric: inAddress(metric) })}
            >
              <span>
                {words.metrics[metric]} <span className="quiet">{words.rateOf[metric]}</span>
              </span>
              <strong>{formatTotal(metric, totals)}</strong>
              {comparison && metric !== 'COMMISSION_DUE' && (
                <Change
                  change={changeOfTotal(metric, totals, comparison)}
                  isGoodUp={!/REFUND|VOID/.test(metric)}
                  meaning={words.comparisons[compareTo]}
                />
              )}
            </button>
          ))}
        </fieldset>
      )}
    </Report>
  )
}

type ChangeProps = { change: number | null; isGoodUp: boolean; meaning: string }

const Change = ({ change, isGoodUp, meaning }: ChangeProps) => (
  <span className={!change ? 'change' : change > 0 === isGoodUp ? 'change up' : 'change down'}>
    {change === null ? (
      texts.home.figures.noneBefore
    ) : (
      <>
        {texts.home.figures.change(change)}
        <span className="unseen"> {words.comparedWith(meaning)}</span>
      </>
    )}
  </span>
)
