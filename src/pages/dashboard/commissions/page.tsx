import { useState } from 'react'
import { type CommissionFragment, CommissionsDocument } from '../../../generated/dashboard/commissions/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { affiliateColumn, amountColumn, campaignColumn, dayColumn, NoId, ThingLink } from '../money/columns.tsx'
import { CommissionState } from '../money/commission-state.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Approve } from './approve.tsx'
import { useFilters, variablesOf } from './filters.ts'
import { kindOf, saleName } from './sale-name.ts'
import { VoidThem } from './void.tsx'

const words = texts.commissions

const columns: Column<CommissionFragment>[] = [
  affiliateColumn(),
  {
    name: words.sale,
    cell: (commission) => <SaleCell commission={commission} />,
    csv: {
      [texts.sales.externalId]: ({ sale }) => sale?.externalId,
      [texts.sales.kind]: kindOf,
      [words.reason]: ({ reason }) => reason,
    },
  },
  campaignColumn(),
  dayColumn(words.occurred, ({ occurredAt }) => occurredAt, { sort: 'occurred' }),
  dayColumn(words.due, ({ dueAt }) => dueAt, { sort: 'due' }),
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ state, heldReason }) => <CommissionState state={state} isHeld={heldReason !== null} />,
    csv: ({ state, heldReason }) => (heldReason !== null && state === 'PENDING' ? words.held : words.states[state]),
  },
  amountColumn('commissions'),
]

function SaleCell({ commission }: { commission: CommissionFragment }) {
  const { sale, refund, reason } = commission
  if (!sale)
    return (
      <>
        {kindOf(commission)}
        <span className="quiet second-line">{reason}</span>
      </>
    )
  return (
    <>
      <ThingLink of="sales" id={sale.id}>
        {sale.externalId ?? <NoId />}
      </ThingLink>
      {refund && <span className="quiet second-line">{kindOf(commission)}</span>}
    </>
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
                  {words.voidThem} …
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
