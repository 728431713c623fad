import { useState } from 'react'
import {
  type PaymentFragment,
  type PayoutItemState,
  PayoutRunItemsDocument,
  type PayoutRunItemWhere,
} from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { formatMoney } from '../../../parts/format.tsx'
import type { Column } from '../../../parts/table.tsx'
import { nameOf } from '../../affiliate-name.tsx'
import { List } from '../../list/list.tsx'
import { choiceOf, type ListSearch } from '../../list/search.ts'
import { useLocalListState } from '../../list/use-list-state.ts'
import { affiliateColumn, ThingLink } from '../../money/columns.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RecordResult, resultsAfter } from './record-result.tsx'
import type { Run } from './run-type.ts'
import { PaymentState } from './state.tsx'

const words = texts.payoutRuns

const states = Object.keys(words.itemStates) as PayoutItemState[]

const columns: Column<PaymentFragment>[] = [
  affiliateColumn(),
  {
    name: words.to,
    className: 'reference',
    isEmpty: ({ recipient }) => recipient === null,
    cell: ({ recipient }) => recipient ?? '–',
    csv: ({ recipient }) => recipient,
  },
  {
    name: words.address,
    isEmpty: ({ isNewRecipient }) => !isNewRecipient,
    cell: ({ isNewRecipient }) => (isNewRecipient ? words.newAddress : '–'),
    csv: ({ isNewRecipient }) => (isNewRecipient ? words.newAddress : ''),
  },
  {
    name: words.reason,
    cell: ({ reason }) => reason ?? '–',
    csv: ({ reason }) => reason,
    isEmpty: ({ reason }) => !reason,
    className: 'reference',
  },
  {
    name: words.reference,
    cell: ({ reference }) => reference ?? '–',
    csv: ({ reference }) => reference,
    isEmpty: ({ reference }) => !reference,
    className: 'reference',
  },
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ state }) => <PaymentState state={state} />,
    csv: ({ state }) => words.itemStates[state],
  },
  {
    name: texts.money.amount,
    isNumber: true,
    cell: ({ payoutId, amountCents, currency }) => (
      <ThingLink of="payouts" id={payoutId} opens>
        {formatMoney(amountCents, currency)}
      </ThingLink>
    ),
    csv: ({ amountCents: cents, currency }) => ({ cents, currency }),
  },
]

const whereOf = (search: ListSearch): PayoutRunItemWhere => {
  const state = choiceOf(search.state, states)
  return {
    ...(state && { state: { equals: state } }),
    ...(search.address === 'new' && { isNewRecipient: { equals: true } }),
  }
}

/** The payments of a run. The result of one can be recorded by hand. */
export function Payments({ run }: { run: Run }) {
  const { canChange } = useProgram()
  const [chosen, setChosen] = useState<PaymentFragment>()
  const close = () => setChosen(undefined)
  const canRecord = canChange && run.state !== 'CANCELLED'
  const actions: Column<PaymentFragment> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    isEmpty: ({ state }) => resultsAfter(state).length === 0,
    cell: (payment) =>
      resultsAfter(payment.state).length > 0 && (
        <button
          type="button"
          aria-label={words.recordFor(nameOf(payment.affiliate))}
          onClick={() => setChosen(payment)}
        >
          {words.record}
        </button>
      ),
  }
  return (
    <>
      <Dialog title={chosen ? words.recordFor(nameOf(chosen.affiliate)) : ''} isOpen={!!chosen} onClose={close}>
        {chosen && <RecordResult runId={run.id} payment={chosen} onDone={close} />}
      </Dialog>
      <Card title={words.payments}>
        <List
          state={useLocalListState()}
          noun={words.payment}
          document={PayoutRunItemsDocument}
          variables={(search, page) => ({ id: run.id, ...page, where: whereOf(search) })}
          connection={({ payoutRun }) => payoutRun?.items ?? nothing}
          columns={canRecord ? [...columns, actions] : columns}
          filters={[
            {
              kind: 'choice',
              name: 'state',
              label: texts.money.state,
              options: states.map((value) => ({ value, name: words.itemStates[value] })),
            },
            {
              kind: 'choice',
              name: 'address',
              label: words.address,
              options: [{ value: 'new', name: words.newAddress }],
            },
          ]}
          empty={words.noPayments}
        />
      </Card>
    </>
  )
}

const nothing = {
  totalCount: 0,
  nodes: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
}
