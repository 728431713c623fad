import { lazy, Suspense } from 'react'
import { PayoutsDocument, type PayoutsQuery } from '../../generated/portal/graphql.ts'
import { Day, formatMoney, State } from '../parts/format.tsx'
import type { Column } from '../parts/table.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { HoldNotice } from './payout-address.tsx'
import { moneyCells, SaveCsv } from './save-csv.tsx'
import { Statements } from './statements.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

const Invoices = lazy(() => import('./invoices.tsx'))

type Payout = PayoutsQuery['me']['payouts']['nodes'][number]

const isSent = ({ state, sentAt }: Payout) => state === 'PENDING' && sentAt !== null

/** The amount, and what arrived of it in another currency. */
const amountOf = ({ amountCents, currency, receivedCents, receivedCurrency }: Payout) =>
  receivedCents === null || receivedCurrency === null
    ? formatMoney(amountCents, currency)
    : `${formatMoney(amountCents, currency)} → ${formatMoney(receivedCents, receivedCurrency)}`

const columnsOf = ({ columns, states, notYet }: typeof texts.payouts, withholds: boolean): Column<Payout>[] => [
  { name: columns.created, cell: ({ createdAt }) => <Day at={createdAt} /> },
  {
    name: columns.paid,
    cell: ({ paidAt, state }) => (paidAt ? <Day at={paidAt} /> : state === 'FAILED' ? '–' : notYet),
  },
  {
    name: columns.reference,
    cell: ({ reference }) => reference ?? '–',
    isEmpty: ({ reference }) => reference === null,
    className: 'reference',
  },
  {
    name: columns.state,
    cell: (payout) => <State state={payout.state} name={states[isSent(payout) ? 'SENT' : payout.state]} />,
    isPlain: true,
  },
  ...(withholds ? [withheldColumn(columns.withheld)] : []),
  { name: columns.amount, cell: amountOf, isNumber: true },
]

const withheldColumn = (name: string): Column<Payout> => ({
  name,
  cell: ({ withheldCents, currency }) => (withheldCents > 0 ? formatMoney(withheldCents, currency) : '–'),
  isEmpty: ({ withheldCents }) => withheldCents === 0,
  isNumber: true,
})

const csvCells = (payout: Payout) => [
  ...[payout.createdAt, payout.paidAt].map((at) => at?.slice(0, 10) ?? ''),
  payout.reference ?? '',
  texts.payouts.states[isSent(payout) ? 'SENT' : payout.state],
  ...moneyCells(payout.withheldCents, payout.currency).slice(0, 1),
  ...moneyCells(payout.amountCents, payout.currency),
]

export const PayoutsAndStatements = ({ heldUntil }: { heldUntil: string | null }) => (
  <>
    <Payouts heldUntil={heldUntil} />
    <Statements />
    <Suspense fallback={null}>
      <Invoices />
    </Suspense>
  </>
)

function Payouts({ heldUntil }: { heldUntil: string | null }) {
  const words = texts.payouts
  const paging = usePaging()
  const query = useQuery(PayoutsDocument, paging.variables)
  return (
    <section aria-labelledby="payouts">
      <h2 id="payouts">{words.title}</h2>
      <HoldNotice until={heldUntil} />
      {query.data?.me.payouts.nodes.some(({ state }) => state === 'FAILED') && <p className="quiet">{words.failed}</p>}
      <PagedTable
        words={words}
        columns={columnsOf(words, query.data?.me.payouts.nodes.some(({ withheldCents }) => withheldCents > 0) ?? false)}
        connection={query.data?.me.payouts}
        query={query}
        paging={paging}
        emptyText={words.empty}
      />
      {(query.data?.me.payouts.totalCount ?? 0) > 0 && (
        <SaveCsv
          name={words.title}
          headings={[...Object.values(words.columns), texts.commissions.currency]}
          cells={csvCells}
          load={async (runQuery, page) => (await runQuery(PayoutsDocument, page)).me.payouts}
        />
      )}
    </section>
  )
}
