import { AgingDocument, type AgingQuery } from '../../../generated/dashboard/analytics/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { texts } from '../texts.ts'
import type { ReportsProps } from './props.ts'
import { Report } from './report.tsx'
import { SubjectLink } from './subject-link.tsx'

const words = texts.analytics.aging

type Aging = AgingQuery['analytics']['aging']
type Row = Omit<Aging, 'affiliates'> & { subjectId: string | null; label: string }

const ages = ['notDue', 'days0To30', 'days31To60', 'days61To90', 'over90', 'owed'] as const

/** What is owed now in the currency, by how long it has been due: of all, and of those who are owed most. */
export const OwedByAge = ({ about }: ReportsProps) => (
  <Report
    title={words.title}
    lead={words.lead(about.currency.toUpperCase())}
    document={AgingDocument}
    variables={about}
    view="table"
    table={(tables) => tables.find(({ name }) => name.endsWith('.affiliates'))}
    isEmpty={({ analytics: { aging } }) => aging.affiliates.length === 0 && aging.owed.amountCents === 0}
    empty={{ title: texts.analytics.noneOwed, text: texts.analytics.noneOwedText }}
  >
    {({ analytics: { aging } }) => (
      <Table
        caption={words.title}
        columns={columns}
        rows={[{ ...aging, subjectId: null, label: texts.analytics.all }, ...aging.affiliates]}
        keyOf={({ subjectId }) => subjectId ?? 'all'}
      />
    )}
  </Report>
)

const columns: Column<Row>[] = [
  { name: words.affiliate, cell: (row) => <SubjectLink of="AFFILIATE" subject={row} /> },
  ...ages.map((age) => ({
    name: words.ages[age],
    cell: ({ [age]: { amountCents, currency } }: Row) => formatMoney(amountCents, currency),
    isNumber: true,
  })),
]
