import { counted } from '../../../src/server/pages/portal/format.tsx'
import { EarningsDocument, type TotalFragment } from './generated/graphql.ts'
import { TroubleNote } from './trouble.tsx'
import { useAnswer } from './use-answer.ts'

/**
 * What the affiliate earned in a currency; below it, in the next one that they sold or earned something in.
 *
 * @param known the currencies from the first to this one
 */
export function Earnings({ currency, known }: { currency: string; known: string[] }) {
  const { data, trouble, askAgain } = useAnswer(EarningsDocument, { currency, known })
  if (trouble) return <TroubleNote trouble={trouble} onRetry={askAgain} />
  const me = data?.me
  const [other] = [...(me?.otherCommissions.nodes ?? []), ...(me?.otherSales.nodes ?? [])]
  return (
    <>
      <section aria-label={`Earnings in ${currency.toUpperCase()}`}>
        <dl className="sums">
          <Sum name="Due" total={me?.due} unit="commission" />
          <Sum name="Pending" total={me?.pending} unit="commission" />
          <Sum name="Paid" total={me?.paid} unit="commission" />
          <Sum name="Sales" total={me?.sales} unit="sale" />
        </dl>
      </section>
      {other && <Earnings currency={other.currency} known={[...known, other.currency]} />}
    </>
  )
}

/** Before the numbers are there it takes the room that they will take. */
const Sum = ({ name, total, unit }: { name: string; total: TotalFragment | undefined; unit: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className="amount">{total?.aggregate.sum.amount.formatted ?? '…'}</dd>
    <dd className="quiet">{total ? counted(total.aggregate.count, unit) : '…'}</dd>
  </div>
)
