import { useState } from 'react'
import {
  type MissingInvoiceFragment,
  MissingInvoicesDocument,
} from '../../../../generated/dashboard/payouts/invoices/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { nameOf } from '../../affiliate-name.tsx'
import { action } from '../../api/action.ts'
import { useAction, useData } from '../../api/use-data.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.invoices.month

/** What a closed month lacks, and the button that makes it. @param months that are closed, the newest first */
export function InvoicesOfMonth({ months }: { months: readonly string[] }) {
  const [month, setMonth] = useState(months[0] as string)
  const { data, failure, retry } = useData(MissingInvoicesDocument, { month })
  const missing = data?.missingInvoices
  return (
    <Card
      title={words.title(month)}
      lead={words.lead}
      actions={
        <>
          <select aria-label={words.choose} value={month} onChange={(event) => setMonth(event.target.value)}>
            {months.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          {missing && missing.readyCount > 0 && <Make month={month}>{words.make(missing.readyCount)}</Make>}
        </>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {missing && (
        <p>
          {missing.readyCount > 0 && <Badge tone="wait">{words.ready(missing.readyCount)}</Badge>}{' '}
          {missing.waitingCount > 0 && <Badge tone="bad">{words.waiting(missing.waitingCount)}</Badge>}
          {missing.readyCount + missing.waitingCount === 0 && <Badge tone="good">{words.complete}</Badge>}
        </p>
      )}
      {missing && missing.waiting.length > 0 && (
        <Table
          caption={words.waiting(missing.waitingCount)}
          columns={columnsOf(month)}
          rows={missing.waiting}
          keyOf={({ statementId }) => statementId}
        />
      )}
    </Card>
  )
}

const columnsOf = (month: string): Column<MissingInvoiceFragment>[] => [
  { name: texts.money.affiliate, cell: ({ statement }) => nameOf(statement.affiliate) },
  { name: texts.money.currency, cell: ({ currency }) => currency.toUpperCase() },
  {
    name: words.reason,
    isPlain: true,
    cell: ({ reason, statement }) => (
      <>
        {words.reasons[reason]}{' '}
        {reason === 'CANCELLED' && (
          <Make month={month} affiliateId={statement.affiliate.id}>
            {words.again}
            <span className="unseen"> ({nameOf(statement.affiliate)})</span>
          </Make>
        )}
      </>
    ),
  },
]

type MakeProps = { month: string; affiliateId?: string; children: React.ReactNode }

function Make({ month, affiliateId, children }: MakeProps) {
  const [make] = useAction(action('createInvoices'))
  const [failure, setFailure] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const show = useToast()
  const run = async () => {
    setRunning(true)
    const outcome = await make({ input: { month, ...(affiliateId !== undefined && { affiliateId }) } })
    setRunning(false)
    setFailure(outcome.failure)
    if (outcome.data) show(words.made)
  }
  return (
    <>
      <button type="button" className="primary" disabled={isRunning} onClick={() => void run()}>
        {children}
      </button>
      <span role="status">{failure}</span>
    </>
  )
}
