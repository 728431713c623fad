import {
  type CommissionTotalFragment,
  CommissionTotalsDocument,
  type CommissionTotalsQuery,
} from '../../generated/portal/graphql.ts'
import { formatCount, formatMoney } from '../parts/format.tsx'
import { formatDate } from '../parts/locale.ts'
import { FailureNotice } from './failure-notice.tsx'
import { useQuery } from './use-query.ts'

/** What the affiliate is owed and was paid in one currency. */
export function CommissionTotals({ currency, isOnly }: { currency: string; isOnly: boolean }) {
  const { data, failure, retry } = useQuery(CommissionTotalsDocument, { currency, currencyText: currency })
  if (failure) return <FailureNotice failure={failure} onRetry={retry} />
  const { due, pending, nextDueAt, paid, payouts } = data?.me ?? {}
  return (
    <section
      className="bare"
      aria-label={isOnly ? 'Your commissions' : `Your commissions in ${currency.toUpperCase()}`}
    >
      <dl className="totals">
        <Total name="Due" note={dueNote(due, payouts?.nodes[0], currency)} total={due} currency={currency} />
        <Total
          name="Pending"
          note={nextDueAt ? `Next due on ${formatDate(nextDueAt)}` : 'Not due yet'}
          total={pending}
          currency={currency}
        />
        <Total name="Paid" note="To date" total={paid} currency={currency} />
      </dl>
    </section>
  )
}

type OpenPayout = CommissionTotalsQuery['me']['payouts']['nodes'][number]

/** What happens to the due commissions. */
function dueNote(due: CommissionTotalFragment | undefined, open: OpenPayout | undefined, currency: string): string {
  if (due && due.aggregate.sum.amount.amountCents < 0) return 'Deducted from your next payout'
  if (!open || open.missingCents === 0) return 'In your next payout'
  const [missing, minimum] = [open.missingCents, open.minimumPayoutCents].map((cents) => formatMoney(cents, currency))
  return `${missing} to go until the minimum of ${minimum}`
}

type TotalProps = { name: string; note: string; total: CommissionTotalFragment | undefined; currency: string }

/** Before the data is loaded it has its final size already, so that the page does not jump. */
const Total = ({ name, note, total, currency }: TotalProps) => (
  <div>
    <dt>{name}</dt>
    <dd className="amount">{total ? formatMoney(total.aggregate.sum.amount.amountCents, currency) : '…'}</dd>
    <dd className="quiet">
      {note}
      {total && (
        <>
          {' · '}
          <span className="whole">{formatCount(total.aggregate.count, 'commission')}</span>
        </>
      )}
    </dd>
  </div>
)
