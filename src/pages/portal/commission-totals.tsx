import {
  type CommissionTotalFragment,
  CommissionTotalsDocument,
  type CommissionTotalsQuery,
} from '../../generated/portal/graphql.ts'
import { formatMoney } from '../parts/format.tsx'
import { formatDate } from '../parts/locale.ts'
import { FailureNotice } from './failure-notice.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

/** What the affiliate is owed and was paid in one currency. */
export function CommissionTotals({ currency, isOnly }: { currency: string; isOnly: boolean }) {
  const { data, failure, retry } = useQuery(CommissionTotalsDocument, { currency, currencyText: currency })
  if (failure) return <FailureNotice failure={failure} onRetry={retry} />
  const words = texts.totals
  const { due, pending, nextDueAt, paid, payouts } = data?.me ?? {}
  return (
    <section className="bare" aria-label={isOnly ? words.title : words.titleIn(currency.toUpperCase())}>
      <dl className="totals">
        <Total name={words.due} note={dueNote(due, payouts?.nodes[0], currency)} total={due} currency={currency} />
        <Total
          name={words.pending}
          note={nextDueAt ? words.nextDue(formatDate(nextDueAt)) : words.notDue}
          total={pending}
          currency={currency}
        />
        <Total name={words.paid} note={words.toDate} total={paid} currency={currency} />
      </dl>
    </section>
  )
}

type OpenPayout = CommissionTotalsQuery['me']['payouts']['nodes'][number]

/** What happens to the due commissions. */
function dueNote(due: CommissionTotalFragment | undefined, open: OpenPayout | undefined, currency: string): string {
  if (due && due.aggregate.sum.amount.amountCents < 0) return texts.totals.deducted
  if (open?.sentAt) return texts.totals.sent(formatDate(open.sentAt))
  if (due?.aggregate.count === 0) return texts.totals.nothing
  if (!open || open.missingCents === 0) return texts.totals.inNext
  return texts.totals.missing(formatMoney(open.missingCents, currency), formatMoney(open.minimumPayoutCents, currency))
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
          <span className="whole">{texts.totals.commissions(total.aggregate.count)}</span>
        </>
      )}
    </dd>
  </div>
)
