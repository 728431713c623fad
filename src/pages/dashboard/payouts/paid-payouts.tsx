import { PayoutsDocument, PayoutTotalsDocument } from '../../../generated/dashboard/payouts/graphql.ts'
import { useData } from '../api/use-data.ts'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { texts } from '../texts.ts'
import { paidColumns } from './columns.tsx'
import { searchFilter, variablesOf, whereOf } from './filters.ts'
import { Totals } from './open.tsx'
import { PayoutTabs } from './payout-tabs.tsx'

const words = texts.payouts

/** What was paid, latest first, with the sum of it: of a quarter, for the accountant. */
export function PaidPayouts() {
  const { search } = useListState()
  const { data } = useData(PayoutTotalsDocument, { where: whereOf('PAID', search) })
  return (
    <ListPage
      views="PAYOUTS"
      title={texts.views.payouts}
      lead={words.lead}
      noun={words.noun}
      document={PayoutsDocument}
      variables={variablesOf('PAID', '-paid')}
      connection={({ payouts }) => payouts}
      columns={paidColumns}
      filters={[
        searchFilter,
        { kind: 'text', name: 'reference', label: words.reference },
        { kind: 'day', name: 'from', label: words.paidFrom },
        { kind: 'day', name: 'to', label: texts.money.to },
      ]}
      empty={words.nonePaid}
    >
      <PayoutTabs current="paid" />
      <Totals totals={data?.payouts.groupBy} label={words.paidTotals} />
    </ListPage>
  )
}
