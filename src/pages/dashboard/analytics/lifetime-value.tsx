import { LifetimeValueDocument, type LifetimeValueQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { texts } from '../texts.ts'
import { ChoiceOfSubjects } from './choice-of-subjects.tsx'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { inAddress, subjects } from './report-settings.ts'
import { SubjectLink } from './subject-link.tsx'

const words = texts.analytics.lifetimeValue

type Life = LifetimeValueQuery['analytics']['lifetimeValue'][number]

/** What the customers of the range have bought until now: of all, or by what brought their first sale. */
export function LifetimeValue({ asked: { lifetime: by }, about, choose }: ReportsProps) {
  const columns: Column<Life>[] = [
    {
      name: texts.analytics.name,
      cell: (life) => (life.subjectId === null ? texts.analytics.all : <SubjectLink of={by} subject={life} />),
    },
    { name: texts.analytics.customers, cell: ({ customers }) => formatNumber(customers), isNumber: true },
    { name: texts.analytics.sales, cell: ({ sales }) => formatNumber(sales), isNumber: true },
    {
      name: words.net,
      cell: ({ netAmount: { amountCents, currency } }) => formatMoney(amountCents, currency),
      isNumber: true,
    },
    {
      name: words.perCustomer,
      cell: ({ perCustomer }) => (perCustomer ? formatMoney(perCustomer.amountCents, perCustomer.currency) : '–'),
      isNumber: true,
    },
  ]
  return (
    <Report
      title={words.title}
      lead={words.lead}
      document={LifetimeValueDocument}
      variables={{ ...about, by: by === 'ALL' ? null : by }}
      view="table"
      isEmpty={({ analytics }) => analytics.lifetimeValue.every(({ customers }) => customers === 0)}
      actions={
        <ChoiceOfSubjects value={by} values={subjects} onChange={(value) => choose({ lifetime: inAddress(value) })} />
      }
    >
      {({ analytics: { lifetimeValue } }) => (
        <Table
          caption={words.title}
          columns={columns}
          rows={lifetimeValue}
          keyOf={({ subjectId }) => subjectId ?? 'all'}
        />
      )}
    </Report>
  )
}
