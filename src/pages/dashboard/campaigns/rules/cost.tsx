import {
  type CreateCommissionRuleInput,
  PlannedRuleDocument,
} from '../../../../generated/dashboard/campaigns/graphql.ts'
import { byCurrency } from '../../../../kernel/money/currency-order.ts'
import { formatMoney } from '../../../parts/format.tsx'
import { nameOf } from '../../affiliate-name.tsx'
import { useData } from '../../api/use-data.ts'
import { useSettled } from '../../form/use-settled.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'

const words = texts.campaigns.rules

/** The service calculates when nothing was typed for a moment. */
const typingMs = 400

/** What a rule would have changed for the sales of the last twelve months, and for whom most. */
export function RuleCost({ rule }: { rule: CreateCommissionRuleInput }) {
  const { program } = useProgram()
  // The past has no start and no end of the rule: it is tried as if it had always held.
  const { startsAt: _start, endsAt: _end, ...always } = rule
  const asked = useSettled(JSON.stringify(always), typingMs)
  const { data, failure, isLoading } = useData(PlannedRuleDocument, { rule: JSON.parse(asked) })
  if (failure) return <p className="quiet">{failure}</p>
  if (!data || isLoading || asked !== JSON.stringify(always)) return <p className="quiet">{words.planning}</p>
  const { sales, changedSales, currencies } = data.planRules
  return (
    <div aria-live="polite">
      <p>{words.plan(changedSales, sales)}</p>
      {currencies.toSorted(byCurrency(program.currency)).map(({ currency, before, after, affiliates }) => (
        <p key={currency}>
          <strong>
            {words.cost(
              formatMoney(before.amount.amountCents, currency),
              formatMoney(after.amount.amountCents, currency),
            )}
          </strong>{' '}
          <span className="quiet">
            {affiliates
              .map(({ affiliate, difference }) =>
                words.changes(
                  nameOf(affiliate),
                  formatMoney(difference.amountCents, currency, { signDisplay: 'always' }),
                ),
              )
              .join(', ')}
          </span>
        </p>
      ))}
    </div>
  )
}
