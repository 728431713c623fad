import { useState } from 'react'
import { type CommissionState, CommissionsDocument, type CommissionsQuery } from '../../generated/portal/graphql.ts'
import { Day, Email, formatMoney, State } from '../parts/format.tsx'
import type { Column } from '../parts/table.tsx'
import { useLanguage } from './language-choice.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { moneyCells, SaveCsv } from './save-csv.tsx'
import { texts } from './texts.ts'
import { UnpaidSales } from './unpaid-sales.tsx'
import { useQuery } from './use-query.ts'
import { Why } from './why.tsx'

const states: CommissionState[] = ['PENDING', 'DUE', 'PAID', 'VOID']
type Commission = CommissionsQuery['me']['commissions']['nodes'][number]

const columnsOf = ({ columns, states }: typeof texts.commissions): Column<Commission>[] => [
  { key: 'for', name: columns.for, cell: (commission) => whatFor(commission) },
  { key: 'date', name: columns.date, cell: ({ occurredAt }) => <Day at={occurredAt} /> },
  { key: 'due', name: columns.due, cell: ({ dueAt }) => <Day at={dueAt} /> },
  {
    key: 'state',
    name: columns.state,
    cell: ({ state }) => <State state={state} name={states[state]} />,
    isPlain: true,
  },
  {
    key: 'amount',
    name: columns.amount,
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    isNumber: true,
  },
]

/** The sale with its customer, or why the commission was given. */
function whatFor(commission: Commission) {
  const { sale } = commission
  return (
    <>
      {sale ? <Email address={sale.customer?.email ?? texts.commissions.noEmail} /> : nameOf(commission)}
      {sale && (
        <>
          <br />
          <span className="quiet">{whyOf(commission)}</span>
        </>
      )}
      <Why id={commission.id} />
    </>
  )
}

function nameOf({ sale, kind, reason }: Commission): string {
  const { kinds, noEmail, withReason } = texts.commissions
  if (sale) return sale.customer?.email ?? noEmail
  return reason === null ? kinds[kind] : withReason(kinds[kind], reason)
}

/** What the amount follows from. */
function whyOf({ sale, kind, reason }: Commission): string {
  const { kinds, withReason, saleOf, refunded, held } = texts.commissions
  if (!sale) return ''
  const { amountCents, refundedCents, currency, outcome } = sale
  return [
    kind === 'SALE' ? '' : reason === null ? kinds[kind] : withReason(kinds[kind], reason),
    saleOf(formatMoney(amountCents, currency)),
    refundedCents > 0 ? refunded(formatMoney(refundedCents, currency)) : '',
    outcome === 'HELD' ? held : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

const csvHeadings = ({ columns, currency, why }: typeof texts.commissions) => [
  ...[columns.for, why, columns.date, columns.due, columns.state, columns.amount],
  currency,
]

const csvCells = (commission: Commission) => [
  nameOf(commission),
  whyOf(commission),
  ...[commission.occurredAt, commission.dueAt].map((at) => at?.slice(0, 10) ?? ''),
  texts.commissions.states[commission.state],
  ...moneyCells(commission.amountCents, commission.currency),
]

export function Commissions() {
  const words = texts.commissions
  const [state, setState] = useState<CommissionState | ''>('')
  const paging = usePaging()
  const where = state === '' ? null : { state: { equals: state } }
  const language = useLanguage()
  const query = useQuery(CommissionsDocument, { ...paging.variables, where, language })
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
      {(query.data?.me.commissions.totalCount ?? 0) > 0 && (
        <SaveCsv
          name={words.title}
          headings={csvHeadings(words)}
          cells={csvCells}
          load={async (runQuery, page) =>
            (await runQuery(CommissionsDocument, { ...page, where, language })).me.commissions
          }
        />
      )}
      <UnpaidSales />
    </section>
  )
}
