import { type PayoutFragment, PayoutsDocument } from '../../../generated/dashboard/payouts/graphql.ts'
import { Day, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { ListPage } from '../list/list-page.tsx'
import { texts } from '../texts.ts'
import { searchFilter, variablesOf } from './filters.ts'
import { PayoutLink } from './payout-link.tsx'
import { PayoutTabs } from './payout-tabs.tsx'

const words = texts.payouts

const columns: Column<PayoutFragment>[] = [
  { name: texts.money.affiliate, cell: (payout) => <PayoutLink payout={payout} /> },
  {
    name: words.reference,
    cell: ({ reference }) => reference ?? <span className="quiet">{words.noReference}</span>,
    isEmpty: ({ reference }) => !reference,
    className: 'reference',
  },
  { name: words.paidAt, sort: 'paid', cell: ({ paidAt }) => paidAt && <Day at={paidAt} /> },
  {
    name: texts.money.amount,
    isNumber: true,
    sort: 'amount',
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
  },
]

/** What was paid, latest first. */
export const PaidPayouts = () => (
  <ListPage
    views="PAYOUTS"
    title={texts.views.payouts}
    lead={words.lead}
    noun={words.noun}
    document={PayoutsDocument}
    variables={variablesOf('PAID', '-paid')}
    connection={({ payouts }) => payouts}
    columns={columns}
    filters={[searchFilter, { kind: 'text', name: 'reference', label: words.reference }]}
    empty={words.nonePaid}
  >
    <PayoutTabs current="paid" />
  </ListPage>
)
