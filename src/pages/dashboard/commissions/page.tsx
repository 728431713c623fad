import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type CommissionFragment, CommissionsDocument } from '../../../generated/dashboard/commissions/graphql.ts'
import { Day, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { nameOf } from '../affiliates/affiliate.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { CommissionState } from '../money/commission-state.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Approve } from './approve.tsx'
import { useFilters, variablesOf } from './filters.ts'
import { saleName } from './sale-name.ts'
import { VoidThem } from './void.tsx'

const words = texts.commissions

const columns: Column<CommissionFragment>[] = [
  { name: texts.money.affiliate, cell: (commission) => <CommissionLink commission={commission} /> },
  { name: words.sale, cell: (commission) => saleName(commission) },
  { name: texts.money.campaign, cell: ({ campaign }) => campaign.name },
  { name: words.occurred, sort: 'occurred', cell: ({ sale }) => <Day at={sale.occurredAt} /> },
  { name: words.due, sort: 'due', cell: ({ dueAt }) => <Day at={dueAt} /> },
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ state, heldReason }) => <CommissionState state={state} isHeld={heldReason !== null} />,
  },
  {
    name: texts.money.amount,
    isNumber: true,
    sort: 'amount',
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
  },
]

function CommissionLink({ commission: { id, affiliate } }: { commission: CommissionFragment }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/commissions/$id" params={{ program: program.slug, id }}>
      {nameOf(affiliate)}
    </Link>
  )
}

type Asked = { what: 'approve' | 'void'; rows: readonly CommissionFragment[]; clear(): void }

/** All commissions, with what can be done with several at once. */
export function Commissions() {
  const { canChange } = useProgram()
  const { search } = useListState()
  const filters = useFilters(search)
  const [asked, setAsked] = useState<Asked>()
  const rowsOf = (what: Asked['what']) => (asked?.what === what ? asked.rows : undefined)
  const close = () => setAsked(undefined)
  return (
    <>
      <ListPage
        title={texts.views.commissions}
        views="COMMISSIONS"
        lead={words.lead}
        noun={words.noun}
        document={CommissionsDocument}
        variables={variablesOf}
        connection={({ commissions }) => commissions}
        columns={columns}
        filters={filters}
        empty={words.empty}
        {...(canChange && {
          bulk: {
            nameOf: (commission: CommissionFragment) => `${nameOf(commission.affiliate)}, ${saleName(commission)}`,
            actions: (_keys: ReadonlySet<string>, clear: () => void, rows: readonly CommissionFragment[]) => (
              <>
                <button type="button" className="primary" onClick={() => setAsked({ what: 'approve', rows, clear })}>
                  {words.approve} …
                </button>
                <button type="button" className="danger-text" onClick={() => setAsked({ what: 'void', rows, clear })}>
                  {words.void} …
                </button>
                <button type="button" className="plain" onClick={clear}>
                  {texts.list.none}
                </button>
              </>
            ),
          },
        })}
      />
      <Approve commissions={rowsOf('approve')} onClose={close} onDone={asked?.clear} />
      <VoidThem commissions={rowsOf('void')} onClose={close} onDone={asked?.clear} />
    </>
  )
}
