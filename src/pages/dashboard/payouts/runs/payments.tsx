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
import { CancelPayment } from './cancel-payment.tsx'
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
    cell: ({ reason, contradiction }) => contradiction ?? reason ?? '–',
    csv: ({ reason, contradiction }) => contradiction ?? reason,
    isEmpty: ({ reason, contradiction }) => !reason && !contradiction,
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
    name: words.byService.ownState,
    cell: ({ serviceState }) => serviceState ?? '–',
    csv: ({ serviceState }) => serviceState,
    isEmpty: ({ serviceState }) => serviceState === null,
  },
  {
    name: words.byService.fee,
    isNumber: true,
    isEmpty: ({ feeCents }) => feeCents === null,
    cell: ({ feeCents, feeCurrency, currency }) =>
      feeCents === null ? '–' : formatMoney(feeCents, feeCurrency ?? currency),
    csv: ({ feeCents: cents, feeCurrency, currency }) =>
      cents === null ? null : { cents, currency: feeCurrency ?? currency },
  },
  {
    name: words.byService.received,
    isNumber: true,
    isEmpty: ({ receivedCents }) => receivedCents === null,
    cell: ({ receivedCents, receivedCurrency }) =>
      receivedCents === null || receivedCurrency === null ? '–' : formatMoney(receivedCents, receivedCurrency),
    csv: ({ receivedCents: cents, receivedCurrency: currency }) =>
      cents === null || currency === null ? null : { cents, currency },
  },
  {
    name: texts.money.state,
    isPlain: true,
    cell: ({ state, isUnknown }) => <PaymentState state={state} isUnknown={isUnknown} />,
    csv: ({ state, isUnknown }) => (isUnknown ? words.byService.isUnknown : words.itemStates[state]),
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

/** The amounts of the payouts, and what is withheld of them. */
const withheldColumns: Column<PaymentFragment>[] = [
  {
    name: words.gross,
    isNumber: true,
    cell: ({ amountCents, withheldCents, currency }) => formatMoney(amountCents + withheldCents, currency),
    csv: ({ amountCents, withheldCents, currency }) => ({ cents: amountCents + withheldCents, currency }),
  },
  {
    name: words.withheld,
    isNumber: true,
    isEmpty: ({ withheldCents }) => withheldCents === 0,
    cell: ({ withheldCents, currency }) => (withheldCents > 0 ? formatMoney(withheldCents, currency) : '–'),
    csv: ({ withheldCents: cents, currency }) => ({ cents, currency }),
  },
]

const whereOf = (search: ListSearch): PayoutRunItemWhere => {
  const state = choiceOf(search.state, states)
  return {
    ...(state && { state: { equals: state } }),
    ...(search.answer === 'unknown' && { isUnknown: { equals: true } }),
    ...(search.address === 'new' && { isNewRecipient: { equals: true } }),
  }
}

/** The payments of a run. The result of one can be recorded by hand. */
export function Payments({ run }: { run: Run }) {
  const { canPay } = useProgram()
  const [chosen, setChosen] = useState<PaymentFragment>()
  const [cancelling, setCancelling] = useState<PaymentFragment>()
  const close = () => setChosen(undefined)
  const shown = run.withheldCents > 0 ? [...columns.slice(0, -1), ...withheldColumns, ...columns.slice(-1)] : columns
  const service = run.handedOverAt ? run.connectedService?.name : undefined
  const canRecord = canPay && run.state !== 'CANCELLED'
  const actions: Column<PaymentFragment> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    isEmpty: ({ state }) => resultsAfter(state).length === 0,
    cell: (payment) =>
      resultsAfter(payment.state).length > 0 && (
        <>
          {service && payment.state === 'UNCLAIMED' && payment.serviceId && (
            <button
              type="button"
              aria-label={words.byService.cancelFor(nameOf(payment.affiliate), service)}
              onClick={() => setCancelling(payment)}
            >
              {words.byService.cancelAt(service)}
            </button>
          )}
          <button
            type="button"
            aria-label={words.recordFor(nameOf(payment.affiliate))}
            onClick={() => setChosen(payment)}
          >
            {words.record}
          </button>
        </>
      ),
  }
  return (
    <>
      <Dialog title={chosen ? words.recordFor(nameOf(chosen.affiliate)) : ''} isOpen={!!chosen} onClose={close}>
        {chosen && <RecordResult runId={run.id} payment={chosen} onDone={close} />}
      </Dialog>
      <CancelPayment payment={cancelling} service={service ?? ''} onDone={() => setCancelling(undefined)} />
      <Card title={words.payments}>
        <List
          state={useLocalListState()}
          noun={words.payment}
          document={PayoutRunItemsDocument}
          variables={(search, page) => ({ id: run.id, ...page, where: whereOf(search) })}
          connection={({ payoutRun }) => payoutRun?.items ?? nothing}
          columns={canRecord ? [...shown, actions] : shown}
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
            {
              kind: 'choice',
              name: 'answer',
              label: words.byService.answer,
              options: [{ value: 'unknown', name: words.byService.isUnknown }],
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
