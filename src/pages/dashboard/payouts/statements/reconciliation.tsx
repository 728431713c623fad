import { useState } from 'react'
import {
  CloseMonthDocument,
  ReconciliationDocument,
  type ReconciliationQuery,
  type StatementMonthsQuery,
} from '../../../../generated/dashboard/payouts/statements/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { useAction, useData } from '../../api/use-data.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Differences } from './differences.tsx'

const words = texts.statements.compared

type Compared = ReconciliationQuery['reconciliation']
type Sums = Compared['currencies'][number]
type Row = { what: string; feeds: number | null; ledger: number; payments: number | null; currency: string }

const rowsOf = (sums: Sums): Row[] => {
  const { currency, withheldCents: withheld } = sums
  const taxed = { what: words.withheld, feeds: null, ledger: withheld, payments: null, currency }
  return [
    { what: words.sales, feeds: sums.feedSalesCents, ledger: sums.ledgerSalesCents, payments: null, currency },
    { what: words.refunds, feeds: sums.feedRefundsCents, ledger: sums.ledgerRefundsCents, payments: null, currency },
    { what: words.paid, feeds: null, ledger: sums.ledgerPaidCents, payments: sums.servicePaidCents, currency },
    ...(withheld === 0 ? [] : [taxed]),
  ]
}

const amount = (cents: number | null, currency: string) => (cents === null ? '–' : formatMoney(cents, currency))

const columns: Column<Row>[] = [
  { name: words.what, cell: ({ what }) => what },
  { name: words.feeds, isNumber: true, cell: ({ feeds, currency }) => amount(feeds, currency) },
  { name: words.ledger, isNumber: true, cell: ({ ledger, currency }) => amount(ledger, currency) },
  { name: words.payments, isNumber: true, cell: ({ payments, currency }) => amount(payments, currency) },
]

type ReconciliationProps = { month: string; open: StatementMonthsQuery['openMonths'] }

/** Three columns for each currency, the differences, and the button that closes the month. */
export function Reconciliation({ month, open }: ReconciliationProps) {
  const { canChange } = useProgram()
  const { data, failure, retry } = useData(ReconciliationDocument, { month })
  const compared = data?.reconciliation
  const state = open.find((one) => one.month === month)?.state
  const canClose = canChange && state !== undefined && state !== 'OPEN' && compared?.openCount === 0
  return (
    <>
      <Card title={words.title(month)} lead={words.lead} actions={canClose && <CloseMonth month={month} />}>
        {failure && <FailureNotice message={failure} onRetry={retry} />}
        {!compared && !failure && <Skeleton />}
        {compared && <Verdict compared={compared} />}
        {compared?.currencies.length === 0 && <p className="quiet">{words.nothing}</p>}
        {compared?.currencies.map((sums) => (
          <Table
            key={sums.currency}
            caption={words.in(sums.currency)}
            columns={columns}
            rows={rowsOf(sums)}
            keyOf={({ what }) => what}
          />
        ))}
      </Card>
      {compared && compared.differenceCount > 0 && (
        <Differences month={month} compared={compared} canAccept={canChange && state !== undefined} />
      )}
    </>
  )
}

function Verdict({ compared: { openCount, differenceCount } }: { compared: Compared }) {
  if (openCount > 0) return <Badge tone="bad">{words.open(openCount)}</Badge>
  return <Badge tone="good">{differenceCount > 0 ? words.accepted(differenceCount) : words.agrees}</Badge>
}

function CloseMonth({ month }: { month: string }) {
  const [isAsked, setAsked] = useState(false)
  const [close] = useAction(CloseMonthDocument)
  const show = useToast()
  const confirm = async () => {
    const { failure } = await close({ input: { month } })
    if (failure === undefined) show(texts.statements.close.done(month))
    return failure
  }
  const said = texts.statements.close
  return (
    <>
      <button type="button" className="primary" onClick={() => setAsked(true)}>
        {said.action(month)}
      </button>
      <Confirm
        title={said.title(month)}
        text={said.text}
        action={said.action(month)}
        isDanger={false}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={confirm}
      />
    </>
  )
}
