import { type SumFragment, SumsDocument } from '../../../generated/portal/graphql.ts'
import { counted, readableMoney } from './format.tsx'
import { TroubleNote } from './notice.tsx'
import { useAnswer } from './use-answer.ts'

/** What is owed to the affiliate in a currency, and what they were paid. */
export function Sums({ currency, isOnly }: { currency: string; isOnly: boolean }) {
  const { data, trouble, askAgain } = useAnswer(SumsDocument, { currency })
  if (trouble) return <TroubleNote trouble={trouble} onRetry={askAgain} />
  const name = isOnly ? 'Your commissions' : `Your commissions in ${currency.toUpperCase()}`
  return (
    <section className="bare" aria-label={name}>
      <dl className="sums">
        <Sum
          name="Due"
          means="In your next payout"
          ofDebt="Taken from your next payout"
          of={data?.me.due}
          currency={currency}
        />
        <Sum name="Pending" means="Not due yet" of={data?.me.pending} currency={currency} />
        <Sum name="Paid" means="So far" of={data?.me.paid} currency={currency} />
      </dl>
    </section>
  )
}

type SumProps = { name: string; means: string; ofDebt?: string; of: SumFragment | undefined; currency: string }

/** Before the numbers are there it takes the room that they will take. */
const Sum = ({ name, means, ofDebt = means, of, currency }: SumProps) => (
  <div>
    <dt>{name}</dt>
    <dd className="amount">{of ? readableMoney(of.aggregate.sum.amount.amountCents, currency) : '…'}</dd>
    <dd className="quiet">
      {of && of.aggregate.sum.amount.amountCents < 0 ? ofDebt : means}
      {of && (
        <>
          {' · '}
          <span className="whole">{counted(of.aggregate.count, 'commission')}</span>
        </>
      )}
    </dd>
  </div>
)
