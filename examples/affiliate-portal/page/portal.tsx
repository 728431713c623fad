import { readableMoney } from '../../../src/server/pages/portal/format.tsx'
import { Commissions } from './commissions.tsx'
import { Earnings } from './earnings.tsx'
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
  const { currency } = me.commissions.aggregate
  return (
    <>
      <header>
        <h1>Hello{me.firstName ? `, ${me.firstName}` : ''}</h1>
        <p className="quiet">
          {me.email} · {me.campaign.name}: {termsOf(me.campaign)}
        </p>
      </header>
      {currency && <Earnings currency={currency} known={[currency]} />}
      <Links links={me.links.nodes} coupon={me.coupon?.token ?? null} />
      <Commissions />
      <Payouts payouts={me.payouts.nodes} />
    </>
  )
}

function termsOf(campaign: OverviewQuery['me']['campaign']): string {
  const { commissionPercent, commissionAmountCents, commissionCurrency } = campaign
  if (commissionPercent !== null) return `${commissionPercent}% of a sale`
  return `${readableMoney(commissionAmountCents ?? 0, commissionCurrency)} for a sale`
}
