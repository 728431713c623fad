import { PayoutsDocument, type PayoutsQuery } from '../../generated/portal/graphql.ts'
import { Day, formatMoney, State } from '../parts/format.tsx'
import type { Column } from '../parts/table.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { HoldNotice } from './payout-address.tsx'
import { useQuery } from './use-query.ts'

const columns: Column<PayoutsQuery['me']['payouts']['nodes'][number]>[] = [
  { name: 'Created', cell: ({ createdAt }) => <Day at={createdAt} /> },
  { name: 'Paid', cell: ({ paidAt, state }) => (paidAt ? <Day at={paidAt} /> : state === 'FAILED' ? '–' : 'not yet') },
  {
    name: 'Reference',
    cell: ({ reference }) => reference ?? '–',
    isEmpty: ({ reference }) => reference === null,
    className: 'reference',
  },
  { name: 'State', cell: ({ state }) => <State state={state} />, isPlain: true },
  { name: 'Amount', cell: ({ amountCents, currency }) => formatMoney(amountCents, currency), isNumber: true },
]

export function Payouts({ heldUntil }: { heldUntil: string | null }) {
  const paging = usePaging()
  const query = useQuery(PayoutsDocument, paging.variables)
  return (
    <section aria-labelledby="payouts">
      <h2 id="payouts">Payouts</h2>
      <HoldNotice until={heldUntil} />
      <PagedTable
        noun="payout"
        columns={columns}
        connection={query.data?.me.payouts}
        query={query}
        paging={paging}
        emptyText="No payouts yet. Due commissions are collected in a payout and paid together."
      />
    </section>
  )
}
