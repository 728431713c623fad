import { formatCount, formatMoney } from '../../../src/pages/parts/format.tsx'
import { FailureNotice } from '../../../src/pages/portal/failure-notice.tsx'
import type { RunQuery } from '../../../src/pages/portal/query.ts'
import { useLoad } from '../../../src/pages/portal/use-query.ts'
import { NextSaleCurrencyDocument, SalesTotalDocument } from './generated/graphql.ts'

type SalesTotal = { currency: string; count: number; amountCents: number }

/** A section of this page's own: the sales that the affiliate referred, in each currency. */
export function Sales() {
  const { data: totals, failure, retry } = useLoad('sales', loadTotals)
  if (failure) return <FailureNotice failure={failure} onRetry={retry} />
  if (!totals?.length) return null
  return (
    <section className="bare" aria-label="Your sales">
      <dl className="totals">
        {totals.map(({ currency, count, amountCents }) => (
          <div key={currency}>
            <dt>Sales</dt>
            <dd className="amount">{formatMoney(amountCents, currency)}</dd>
            <dd className="quiet">{formatCount(count, 'sale')}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

async function loadTotals(runQuery: RunQuery): Promise<SalesTotal[]> {
  const totals: SalesTotal[] = []
  for (;;) {
    const known = totals.map(({ currency }) => currency)
    const [next] = (await runQuery(NextSaleCurrencyDocument, { known })).me.sales.nodes
    if (!next) return totals
    const { me } = await runQuery(SalesTotalDocument, next)
    const { count, sum } = me.sales.aggregate
    totals.push({ currency: next.currency, count, amountCents: sum.amount.amountCents })
  }
}
