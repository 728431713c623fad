import { CohortsDocument, CustomerCohortsDocument } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatAmount } from '../../parts/format.tsx'
import { formatDate, formatNumber } from '../../parts/locale.ts'
import type { Table } from '../../parts/result/tables.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/choice.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { formatRate } from './metrics.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { type Asked, cohortCustomers, inAddress, measures } from './report-settings.ts'

const words = texts.analytics

type Period = {
  index: number
  retention: number | null
  activeCustomers: number
  salesAmount?: { amountCents: number; currency: string }
}
type Cohort = { month: string; customers: number; periods: readonly Period[] }

/** The field of a period that a measure shows. GraphiQL's tables are named after it. */
const fieldOf = { retention: 'retention', customers: 'activeCustomers', sales: 'salesAmount' } as const

const measured = (measure: Asked['cohorts'], period: Period): number =>
  measure === 'sales' ? (period.salesAmount?.amountCents ?? 0) : (period[fieldOf[measure]] ?? 0)

/** How many of the customers of a month bought again in each month after it. */
export function Cohorts({ asked: { cohorts, customers }, about, choose }: ReportsProps) {
  const { range, timeZone, currency } = about
  const ofAll = customers === 'OF_ALL'
  // Revenue of several currencies has no sum.
  const shown = ofAll ? measures.filter((one) => one !== 'sales') : measures
  const measure = shown.find((one) => one === cohorts) ?? 'retention'
  const common = {
    title: words.cohorts,
    lead: words.cohortsLead,
    view: 'table' as const,
    table: (tables: readonly Table[]) => tables.find(({ name }) => name.endsWith(`: ${fieldOf[measure]}`)),
    actions: (
      <>
        <Choice
          label={words.customersOf}
          value={customers}
          options={cohortCustomers.map((value) => ({
            value,
            name: value === 'OF_ALL' ? words.allCurrencies : currency.toUpperCase(),
          }))}
          onChange={(value) => choose({ customers: inAddress(value) })}
        />
        <Choice
          label={words.show}
          value={measure}
          options={shown.map((value) => ({ value, name: words.measures[value] }))}
          onChange={(value) => choose({ cohorts: inAddress(value) })}
        />
      </>
    ),
  }
  const grid = (cohorts: readonly Cohort[]) => <Grid cohorts={cohorts} measure={measure} currency={currency} />
  const isNone = (cohorts: readonly Cohort[]) => cohorts.every(({ customers }) => customers === 0)
  return ofAll ? (
    <Report
      key={customers}
      {...common}
      document={CustomerCohortsDocument}
      variables={{ range, timeZone }}
      isEmpty={({ analytics }) => isNone(analytics.customerCohorts)}
    >
      {({ analytics }) => grid(analytics.customerCohorts)}
    </Report>
  ) : (
    <Report
      key={customers}
      {...common}
      document={CohortsDocument}
      variables={about}
      isEmpty={({ analytics }) => isNone(analytics.cohorts)}
    >
      {({ analytics }) => grid(analytics.cohorts)}
    </Report>
  )
}

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
