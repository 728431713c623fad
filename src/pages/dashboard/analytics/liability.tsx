import { OwedDocument, type OwedQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { Chart } from '../../parts/chart/chart.tsx'
import { labelsOf } from '../../parts/chart/series.ts'
import { formatMoney, formatTick } from '../../parts/format.tsx'
import { texts } from '../texts.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { everyWeek, sinceLately } from './weeks.ts'

const words = texts.analytics

type Liability = OwedQuery['analytics']['liability'][number]

/** What is owed to affiliates now, in each currency, and when it becomes due. */
export const Owed = ({ about: { range, timeZone } }: ReportsProps) => (
  <Report
    title={words.owed}
    lead={words.owedLead}
    document={OwedDocument}
    variables={{ range, timeZone }}
    view="table"
    table={(tables) => tables.find(({ name }) => name.endsWith('.weeks'))}
    isEmpty={({ analytics }) => analytics.liability.length === 0}
    empty={{ title: words.noneOwed, text: words.noneOwedText }}
  >
    {({ analytics }) =>
      analytics.liability.map((liability) => <InCurrency key={liability.currency} liability={liability} />)
    }
  </Report>
)

const amounts = ['owed', 'due', 'pending', 'held'] as const

function InCurrency({ liability }: { liability: Liability }) {
  const { currency } = liability
  const { earlier, weeks: lately } = sinceLately(liability.weeks, Date.now())
  const weeks = everyWeek(lately)
  const labelOf = labelsOf(
    weeks.map(({ start }) => start),
    'WEEK',
  )
  return (
    <div className="owed">
      <h3>{currency.toUpperCase()}</h3>
      <dl className="amounts">
        {amounts.map((amount) => (
          <div key={amount}>
            <dt>{words.amounts[amount]}</dt>
            <dd>{formatMoney(liability[amount].amountCents, currency)}</dd>
          </div>
        ))}
      </dl>
      {earlier !== undefined && <p className="quiet">{words.dueEarlier(formatMoney(earlier, currency))}</p>}
      {weeks.length > 0 && (
        <Chart
          series={{
            name: words.dueByWeek(currency.toUpperCase()),
            format: (value) => formatMoney(value, currency),
            formatShort: (value) => formatTick(value, currency),
            points: weeks.map(({ start, value }) => ({ start, value, label: labelOf(start) })),
          }}
          emptyText={words.none}
        />
      )}
    </div>
  )
}
