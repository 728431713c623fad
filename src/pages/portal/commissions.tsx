import { useState } from 'react'
import { type CommissionState, CommissionsDocument, type CommissionsQuery } from '../../generated/portal/graphql.ts'
import { Day, Email, formatMoney, State } from '../parts/format.tsx'
import type { Column } from '../parts/table.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { texts } from './texts/texts.ts'
import { useQuery } from './use-query.ts'

const states: CommissionState[] = ['PENDING', 'DUE', 'PAID', 'VOID']
type Commission = CommissionsQuery['me']['commissions']['nodes'][number]

const columnsOf = ({ columns, states }: typeof texts.commissions): Column<Commission>[] => [
  { name: columns.for, cell: (commission) => whatFor(commission) },
  { name: columns.date, cell: ({ occurredAt }) => <Day at={occurredAt} /> },
  { name: columns.due, cell: ({ dueAt }) => <Day at={dueAt} /> },
  { name: columns.state, cell: ({ state }) => <State state={state} name={states[state]} />, isPlain: true },
  { name: columns.amount, cell: ({ amountCents, currency }) => formatMoney(amountCents, currency), isNumber: true },
]

/** The customer of the sale, or why it was given. */
function whatFor({ sale, kind, reason }: Commission) {
  const { kinds, noEmail, withReason } = texts.commissions
  if (sale) return <Email address={sale.customer?.email ?? noEmail} />
  return reason === null ? kinds[kind] : withReason(kinds[kind], reason)
}

export function Commissions() {
  const words = texts.commissions
  const [state, setState] = useState<CommissionState | ''>('')
  const paging = usePaging()
  const where = state === '' ? null : { state: { equals: state } }
  const query = useQuery(CommissionsDocument, { ...paging.variables, where })
  return (
    <section aria-labelledby="commissions">
      <div className="head">
        <h2 id="commissions">{words.title}</h2>
        <label>
          {words.show}{' '}
          <select
            value={state}
            onChange={({ target }) => {
              setState(states.find((known) => known === target.value) ?? '')
              paging.restart()
            }}
          >
            <option value="">{words.all}</option>
            {states.map((option) => (
              <option key={option} value={option}>
                {words.states[option]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        words={words}
        columns={columnsOf(words)}
        connection={query.data?.me.commissions}
        query={query}
        paging={paging}
        emptyText={state === '' ? words.empty : words.emptyOf[state]}
      />
    </section>
  )
}
