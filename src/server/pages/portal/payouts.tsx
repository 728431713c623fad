import { PayoutsDocument } from '../../../generated/portal/graphql.ts'
import { Day, formatMoney, State } from './format.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { useQuery } from './use-query.ts'

const columns = ['Created', 'Paid', 'Reference', 'State', 'Amount']

export function Payouts() {
  const paging = usePaging()
  const query = useQuery(PayoutsDocument, paging.variables)
  return (
    <section aria-labelledby="payouts">
      <h2 id="payouts">Payouts</h2>
      <PagedTable
        noun="payout"
        columns={columns}
        connection={query.data?.me.payouts}
        query={query}
        paging={paging}
        emptyText="No payouts yet. Due commissions are collected in a payout and paid together."
        row={({ id, createdAt, paidAt, reference, state, amountCents, currency }) => (
          <tr key={id}>
            <th scope="row">
              <Day at={createdAt} />
            </th>
            <td data-name="Paid">{paidAt ? <Day at={paidAt} /> : 'not yet'}</td>
            <td data-name="Reference" className={reference === null ? 'nothing' : 'reference'}>
              {reference ?? '–'}
            </td>
            <td>
              <State state={state} />
            </td>
            <td className="number">{formatMoney(amountCents, currency)}</td>
          </tr>
        )}
      />
    </section>
  )
}
