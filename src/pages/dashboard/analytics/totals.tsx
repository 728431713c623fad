import { TotalsDocument } from '../../../generated/dashboard/analytics/graphql.ts'
import { texts } from '../texts.ts'
import { inAddress } from './asked.ts'
import { formatTotal, metrics } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'

const words = texts.analytics

/** The total of every metric. Choosing one draws it over time, and ranks by it. */
export const Totals = ({ asked, about, choose }: ReportsProps) => (
  <Report title={words.totals} lead={words.totalsLead} document={TotalsDocument} variables={about} view="table">
    {({ analytics: { totals } }) => (
      <fieldset className="metrics">
        <legend className="unseen">{words.metric}</legend>
        {metrics.map((metric) => (
          <button
            key={metric}
            type="button"
            aria-pressed={metric === asked.metric}
            onClick={() => choose({ metric: inAddress(metric) })}
          >
            <span>{words.metrics[metric]}</span>
            <strong>{formatTotal(metric, totals)}</strong>
          </button>
        ))}
      </fieldset>
    )}
  </Report>
)
