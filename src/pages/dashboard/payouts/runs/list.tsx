import { Link } from '@tanstack/react-router'
import {
  type PayoutItemState,
  type PayoutRunState,
  PayoutRunsDocument,
  type PayoutRunWhere,
  type RunFragment,
} from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { formatMoney } from '../../../parts/format.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import type { Column } from '../../../parts/table.tsx'
import { actorName } from '../../history/timeline.tsx'
import { ListPage } from '../../list/list-page.tsx'
import { choiceOf, type ListSearch } from '../../list/search.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Moment } from '../../ui/moment.tsx'
import { PayoutTabs } from '../payout-tabs.tsx'
import { NewRunLink } from './new-run-link.tsx'
import { RunState } from './state.tsx'

const words = texts.payoutRuns

const states = Object.keys(words.states) as PayoutRunState[]

const paidStates: readonly PayoutItemState[] = ['PAID']
const backStates: readonly PayoutItemState[] = ['FAILED', 'RETURNED', 'UNCLAIMED']

const sumOf = ({ totals }: RunFragment, of: readonly PayoutItemState[]): bigint =>
  totals.filter(({ state }) => of.includes(state)).reduce((sum, { amountCents }) => sum + BigInt(amountCents), 0n)

const columns: Column<RunFragment>[] = [
  { name: words.made, cell: (run) => <RunLink run={run} />, csv: ({ createdAt }) => createdAt },
  { name: words.by, cell: ({ preparedBy }) => actorName(preparedBy), csv: ({ preparedBy }) => actorName(preparedBy) },
  { name: words.method, cell: ({ method }) => words.methods[method], csv: ({ method }) => words.methods[method] },
  {
    name: words.reference,
    cell: ({ reference }) => reference ?? '–',
    isEmpty: ({ reference }) => !reference,
    className: 'reference',
    csv: ({ reference }) => reference,
  },
  {
    name: words.count,
    className: 'right',
    cell: ({ payouts }) => formatNumber(payouts),
    csv: ({ payouts }) => payouts,
  },
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ state }) => <RunState state={state} />,
    csv: ({ state }) => words.states[state],
  },
  {
    name: words.paidAmount,
    isNumber: true,
    isEmpty: (run) => sumOf(run, paidStates) === 0n,
    cell: (run) => formatMoney(sumOf(run, paidStates), run.currency),
    csv: (run) => ({ cents: Number(sumOf(run, paidStates)), currency: run.currency }),
  },
  {
    name: words.backAmount,
    isNumber: true,
    isEmpty: (run) => sumOf(run, backStates) === 0n,
    cell: (run) => formatMoney(sumOf(run, backStates), run.currency),
    csv: (run) => ({ cents: Number(sumOf(run, backStates)), currency: run.currency }),
  },
  {
    name: words.total,
    isNumber: true,
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    csv: ({ amountCents: cents, currency }) => ({ cents, currency }),
  },
]

function RunLink({ run: { id, createdAt } }: { run: RunFragment }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/payouts/runs/$id" params={{ program: program.slug, id }}>
      <Moment at={createdAt} />
    </Link>
  )
}

const whereOf = (search: ListSearch): PayoutRunWhere => {
  const state = choiceOf(search.state, states)
  return state ? { state: { equals: state } } : {}
}

/** The payout runs, newest first. */
export function PayoutRuns() {
  const { canPay } = useProgram()
  return (
    <ListPage
      title={texts.views.payouts}
      lead={words.lead}
      actions={canPay && <NewRunLink />}
      noun={words.noun}
      document={PayoutRunsDocument}
      variables={(search, page) => ({ ...page, where: whereOf(search) })}
      connection={({ payoutRuns }) => payoutRuns}
      columns={columns}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          label: texts.money.state,
          options: states.map((value) => ({ value, name: words.states[value] })),
        },
      ]}
      empty={words.none}
    >
      <PayoutTabs current="runs" />
    </ListPage>
  )
}
