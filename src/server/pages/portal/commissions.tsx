import { useState } from 'react'
import { type CommissionState, CommissionsDocument } from '../../../generated/portal/graphql.ts'
import { Day, Email, formatMoney, State } from './format.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { useQuery } from './use-query.ts'

const states: CommissionState[] = ['PENDING', 'DUE', 'PAID', 'VOID']
const columns = ['Customer', 'Sale', 'Due', 'State', 'Amount']

export function Commissions() {
  const [state, setState] = useState<CommissionState | ''>('')
  const paging = usePaging()
  const where = state === '' ? null : { state: { equals: state } }
  const query = useQuery(CommissionsDocument, { ...paging.variables, where })
  return (
    <section aria-labelledby="commissions">
      <div className="head">
        <h2 id="commissions">Commissions</h2>
        <label>
          Show{' '}
          <select
            value={state}
            onChange={({ target }) => {
              setState(states.find((known) => known === target.value) ?? '')
              paging.restart()
            }}
          >
            <option value="">all</option>
            {states.map((option) => (
              <option key={option} value={option}>
                {option.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        noun="commission"
        columns={columns}
        connection={query.data?.me.commissions}
        query={query}
        paging={paging}
        emptyText={
          state === ''
            ? 'No commissions yet. You earn one when someone buys through your link or with your coupon.'
            : `No ${state.toLowerCase()} commissions.`
        }
        row={({ id, sale, dueAt, state, amountCents, currency }) => (
          <tr key={id}>
            <th scope="row">
              <Email address={sale.customer?.email ?? 'No e-mail'} />
            </th>
            <td data-name="Sale">
              <Day at={sale.occurredAt} />
            </td>
            <td data-name="Due">
              <Day at={dueAt} />
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
