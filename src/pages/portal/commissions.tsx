import { useState } from 'react'
import {
  type CommissionKind,
  type CommissionState,
  CommissionsDocument,
  type CommissionsQuery,
} from '../../generated/portal/graphql.ts'
import { Day, Email, formatMoney, State } from '../parts/format.tsx'
import type { Column } from '../parts/table.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { useQuery } from './use-query.ts'

const states: CommissionState[] = ['PENDING', 'DUE', 'PAID', 'VOID']
type Commission = CommissionsQuery['me']['commissions']['nodes'][number]

const kinds: Record<CommissionKind, string> = { SALE: 'Sale', BONUS: 'Bonus', CORRECTION: 'Correction', LEAD: 'Lead' }

const columns: Column<Commission>[] = [
  { name: 'For', cell: (commission) => whatFor(commission) },
  { name: 'Date', cell: ({ occurredAt }) => <Day at={occurredAt} /> },
  { name: 'Due', cell: ({ dueAt }) => <Day at={dueAt} /> },
  { name: 'State', cell: ({ state }) => <State state={state} />, isPlain: true },
  { name: 'Amount', cell: ({ amountCents, currency }) => formatMoney(amountCents, currency), isNumber: true },
]

/** The customer of the sale, or why it was given. */
const whatFor = ({ sale, kind, reason }: Commission) =>
  sale ? (
    <Email address={sale.customer?.email ?? 'No e-mail'} />
  ) : reason === null ? (
    kinds[kind]
  ) : (
    `${kinds[kind]}: ${reason}`
  )

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
      />
    </section>
  )
}
