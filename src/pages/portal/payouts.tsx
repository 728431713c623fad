import { PayoutsDocument, type PayoutsQuery } from '../../generated/portal/graphql.ts'
import { Day, formatMoney, State } from '../parts/format.tsx'
import type { Column } from '../parts/table.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { HoldNotice } from './payout-address.tsx'
import { moneyCells, SaveCsv } from './save-csv.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

type Payout = PayoutsQuery['me']['payouts']['nodes'][number]

const isSent = ({ state, sentAt }: Payout) => state === 'PENDING' && sentAt !== null

const columnsOf = ({ columns, states, notYet }: typeof texts.payouts): Column<Payout>[] => [
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
  { name: columns.amount, cell: ({ amountCents, currency }) => formatMoney(amountCents, currency), isNumber: true },
]

const csvCells = (payout: Payout) => [
  ...[payout.createdAt, payout.paidAt].map((at) => at?.slice(0, 10) ?? ''),
  payout.reference ?? '',
  texts.payouts.states[isSent(payout) ? 'SENT' : payout.state],
  ...moneyCells(payout.amountCents, payout.currency),
]

export function Payouts({ heldUntil }: { heldUntil: string | null }) {
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
        columns={columnsOf(words)}
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
