import { CohortsDocument, type CohortsQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatAmount } from '../../parts/format.tsx'
import { formatDate, formatNumber } from '../../parts/locale.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/choice.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { formatRate } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { type Asked, inAddress, measures } from './report-settings.ts'

const words = texts.analytics

type Cohort = CohortsQuery['analytics']['cohorts'][number]
type Period = Cohort['periods'][number]

/** The field of a period that a measure shows. GraphiQL's tables are named after it. */
const fieldOf = { retention: 'retention', customers: 'activeCustomers', sales: 'salesAmount' } as const

const measured = (measure: Asked['cohorts'], period: Period): number =>
  measure === 'sales' ? period.salesAmount.amountCents : (period[fieldOf[measure]] ?? 0)

/** How many of the customers of a month bought again in each month after it. */
export const Cohorts = ({ asked: { cohorts: measure }, about, choose }: ReportsProps) => (
  <Report
    title={words.cohorts}
    lead={words.cohortsLead}
    document={CohortsDocument}
    variables={about}
    view="table"
    table={(tables) => tables.find(({ name }) => name.endsWith(`: ${fieldOf[measure]}`))}
    isEmpty={({ analytics }) => analytics.cohorts.every(({ customers }) => customers === 0)}
    actions={
      <Choice
        label={words.show}
        value={measure}
        options={measures.map((value) => ({ value, name: words.measures[value] }))}
        onChange={(value) => choose({ cohorts: inAddress(value) })}
      />
    }
  >
    {({ analytics: { cohorts } }) => <Grid cohorts={cohorts} measure={measure} currency={about.currency} />}
  </Report>
)

const shades = 6

const monthFormat = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const

type GridProps = { cohorts: readonly Cohort[]; measure: Asked['cohorts']; currency: string }

/**
 * A row for each month, a column for each month since. Cells are shaded in proportion to the largest value after month
 * 0.
 */
function Grid({ cohorts, measure, currency }: GridProps) {
  const months = Math.max(...cohorts.map(({ periods }) => periods.length))
  // All customers buy in month 0: next to it, all others would look the same.
  const later = cohorts.flatMap(({ periods }) => periods.filter(({ index }) => index > 0))
  const most = Math.max(...later.map((period) => measured(measure, period)))
  const shadeOf = (value: number) => (value > 0 ? `shade-${Math.min(shades, Math.ceil((value / most) * shades))}` : '')
  const format = {
    retention: formatRate,
    customers: (count: number) => formatNumber(count),
    sales: (cents: number) => formatAmount(cents, currency),
  }[measure]
  return (
    <Scrolls name={words.tableOf(words.cohorts)}>
      <table className="grid">
        <caption className="unseen">
          {words.gridCaption(words.measures[measure], measure === 'sales' ? currency.toUpperCase() : '')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{words.month}</th>
            <th scope="col" className="number">
              {words.customers}
            </th>
            {Array.from({ length: months }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the number of the month is its key
              <th key={index} scope="col" className="number">
                <span className="unseen">{words.month} </span>
                {index}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ month, customers, periods }) => (
            <tr key={month}>
              <th scope="row">{formatDate(`${month}-01`, monthFormat)}</th>
              <td className="number">{formatNumber(customers)}</td>
              {periods.map((period) => (
                <td key={period.index} className={`number ${shadeOf(measured(measure, period))}`}>
                  {customers > 0 && format(measured(measure, period))}
                </td>
              ))}
              {periods.length < months && <td colSpan={months - periods.length} />}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  )
}
