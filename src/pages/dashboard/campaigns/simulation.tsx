import { Link } from '@tanstack/react-router'
import type { ComparedFragment, SimulationQuery } from '../../../generated/dashboard/campaigns/graphql.ts'
import { byCurrency } from '../../../kernel/money/currency-order.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Day, formatMoney } from '../../parts/format.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Changed, useSimulation } from './use-simulation.ts'
import type { CampaignValues } from './values.ts'

const words = texts.campaigns.simulation

/** What the rules of the form would have cost, next to the actual cost. */
export function Simulation({ values, of }: { values: CampaignValues; of?: Changed }) {
  const { data, failure, isLoading, retry, rules, isChanged } = useSimulation(values, of)
  const simulation = data?.simulateCampaign
  return (
    <Card title={words.title} lead={of ? words.lead : words.leadOfNew} className="simulation">
      {rules === null && <p className="quiet">{words.invalid}</p>}
      {rules !== null && failure && <FailureNotice message={failure} onRetry={retry} />}
      {rules !== null && !simulation && !failure && <Skeleton lines={4} />}
      {rules !== null && simulation && !failure && (
        <div aria-busy={isLoading} aria-live="polite">
          <Result simulation={simulation} isChanged={isChanged} />
        </div>
      )}
    </Card>
  )
}

type ResultProps = { simulation: SimulationQuery['simulateCampaign']; isChanged: boolean }

function Result({ simulation: { from, to, sales, currencies }, isChanged }: ResultProps) {
  const { program } = useProgram()
  if (sales === 0) return <Empty title={words.noSales} text={words.noSalesText} />
  return (
    <>
      <p className="quiet">
        <Day at={from} /> – <Day at={dayBefore(to)} /> · {words.sales(sales)}
      </p>
      {currencies
        .filter(hasCost)
        .sort(byCurrency(program.currency))
        .map((currency) => (
          <Currency key={currency.currency} compared={currency} isChanged={isChanged} />
        ))}
      <p className="quiet">{isChanged ? words.note : words.unchanged}</p>
    </>
  )
}

/** Sales in one currency can earn commissions in another. */
const hasCost = ({ before, after }: ComparedFragment) => before.amount.amountCents > 0 || after.amount.amountCents > 0

/** The end of a range is the first moment after it. */
const dayBefore = (at: string) => new Date(new Date(at).getTime() - 1).toISOString()

type CurrencyProps = { compared: ComparedFragment; isChanged: boolean }

/** Unchanged rules have nothing to compare: a difference would only show amounts that were changed by hand. */
function Currency({ compared: { currency, before, after, difference, affiliates }, isChanged }: CurrencyProps) {
  const { program } = useProgram()
  const money = (cents: number) => formatMoney(cents, currency)
  return (
    <>
      <dl className="costs">
        <div>
          <dt>{isChanged ? words.actual : words.cost}</dt>
          <dd>{money(before.amount.amountCents)}</dd>
        </div>
        {isChanged && (
          <>
            {' '}
            <div>
              <dt>{words.simulated}</dt>
              <dd>{money(after.amount.amountCents)}</dd>
            </div>
            <div>
              <dt>{words.difference}</dt>
              <dd>
                <Difference cents={difference.amountCents} currency={currency} />
              </dd>
            </div>
          </>
        )}
      </dl>
      {isChanged && affiliates.length > 0 && (
        <>
          <h3>{words.affiliates}</h3>
          <ul className="entries changed-affiliates">
            {affiliates.map(({ affiliate, difference: change }) => (
              <li key={affiliate.id}>
                <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: affiliate.id }}>
                  {nameOf(affiliate)}
                </Link>
                <Difference cents={change.amountCents} currency={currency} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** More cost is what a program pays, and more is not better: the sign says it, not a colour. */
export const Difference = ({ cents, currency }: { cents: number; currency: string }) => (
  <span className="number">{formatMoney(cents, currency, { signDisplay: 'exceptZero' })}</span>
)
