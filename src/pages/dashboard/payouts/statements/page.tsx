import {
  StatementListDocument,
  StatementMonthsDocument,
  type StatementRowFragment,
} from '../../../../generated/dashboard/payouts/statements/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import type { Column } from '../../../parts/table.tsx'
import { serviceAddress } from '../../address.ts'
import { useData } from '../../api/use-data.ts'
import { List } from '../../list/list.tsx'
import type { ListSearch } from '../../list/search.ts'
import { useListState } from '../../list/use-list-state.ts'
import { affiliateColumn } from '../../money/columns.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PayoutTabs } from '../payout-tabs.tsx'
import { StatementFiles } from './files.tsx'
import { Months } from './months.tsx'
import { Reconciliation } from './reconciliation.tsx'

const words = texts.statements

const columns: Column<StatementRowFragment>[] = [
  { ...affiliateColumn<StatementRowFragment>() },
  { name: words.list.month, cell: ({ month }) => month, csv: ({ month }) => month },
  {
    name: words.list.opening,
    isNumber: true,
    cell: ({ openingCents, currency }) => formatMoney(openingCents, currency),
    csv: ({ openingCents: cents, currency }) => ({ cents, currency }),
  },
  {
    name: words.list.closing,
    isNumber: true,
    cell: ({ closingCents, currency }) => formatMoney(closingCents, currency),
    csv: ({ closingCents: cents, currency }) => ({ cents, currency }),
  },
  { name: words.list.files, isPlain: true, cell: (statement) => <StatementFiles statement={statement} /> },
]

const whereOf = ({ month }: ListSearch) => (month ? { month: { equals: month } } : {})

/** The months, what three sources say of one of them, and the statements of those that are closed. */
export function Statements() {
  const { program } = useProgram()
  const state = useListState()
  const { data, failure, retry } = useData(StatementMonthsDocument, {})
  const over = data?.openMonths.find(({ state: is }) => is !== 'OPEN')
  const shown = state.search.month ?? over?.month
  return (
    <Page title={texts.views.payouts} lead={words.lead}>
      <PayoutTabs current="statements" />
      {program.isSandbox && <p className="warning">{words.sandbox}</p>}
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && <Months data={data} shown={shown} />}
      {data && shown && <Reconciliation key={shown} month={shown} open={data.openMonths} />}
      <Card
        title={words.tab}
        lead={words.list.verifyLead}
        actions={
          <a href={serviceAddress('verify')} target="_blank" rel="noreferrer">
            {words.list.verify}
          </a>
        }
      >
        <List
          state={state}
          noun={words.noun}
          document={StatementListDocument}
          variables={(search, page) => ({ ...page, where: whereOf(search) })}
          connection={({ statements }) => statements}
          columns={columns}
          empty={{ title: words.list.empty, text: words.list.emptyText }}
        />
      </Card>
    </Page>
  )
}
