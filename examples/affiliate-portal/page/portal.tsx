import { Commissions } from './commissions.tsx'
import { counted, readableMoney } from './format.tsx'
import { OverviewDocument, type OverviewQuery } from './generated/graphql.ts'
import { Links } from './links.tsx'
import { Payouts } from './payouts.tsx'
import { TroubleNote } from './trouble.tsx'
import { useAnswer } from './use-answer.ts'

export function Portal() {
  const { data, trouble, isLoading, askAgain } = useAnswer(OverviewDocument, {})
  return (
    <main aria-busy={isLoading}>
      {trouble && <TroubleNote trouble={trouble} onRetry={askAgain} />}
      {!data && isLoading && (
        <p className="quiet" role="status">
          Loading your numbers …
        </p>
      )}
      {data && !trouble && <Numbers me={data.me} />}
    </main>
  )
}

function Numbers({ me }: { me: OverviewQuery['me'] }) {
  const sum = ({ aggregate }: { aggregate: { sum: { amount: { formatted: string } } } }) =>
    aggregate.sum.amount.formatted
  return (
    <>
      <header>
        <h1>Hello{me.firstName ? `, ${me.firstName}` : ''}</h1>
        <p className="quiet">
          {me.email} · {me.campaign.name}: {termsOf(me.campaign)}
        </p>
      </header>
      <section aria-label="Your earnings">
        <dl className="sums">
          <Sum name="Due" amount={sum(me.due)} note={counted(me.due.totalCount, 'commission')} />
          <Sum name="Pending" amount={sum(me.pending)} note={counted(me.pending.totalCount, 'commission')} />
          <Sum name="Paid" amount={sum(me.paid)} note={counted(me.paid.totalCount, 'commission')} />
          <Sum name="Sales" amount={sum(me.sales)} note={counted(me.sales.totalCount, 'sale')} />
        </dl>
      </section>
      <Links links={me.links.nodes} coupon={me.coupon?.token ?? null} />
      <Commissions />
      <Payouts payouts={me.payouts.nodes} />
    </>
  )
}

const Sum = ({ name, amount, note }: { name: string; amount: string; note: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className="amount">{amount}</dd>
    <dd className="quiet">{note}</dd>
  </div>
)

function termsOf(campaign: OverviewQuery['me']['campaign']): string {
  const { commissionPercent, commissionAmountCents, commissionCurrency } = campaign
  if (commissionPercent !== null) return `${commissionPercent}% of a sale`
  return `${readableMoney(commissionAmountCents ?? 0, commissionCurrency)} for a sale`
}
