import { Day, formatMoney } from '../../parts/format.tsx'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Fact } from './fact.tsx'

const words = texts.money.why

type Rule = {
  commissionPercent: number | null
  commissionAmountCents: number | null
  commissionCurrency: string
  daysBeforeDue: number
  maxCommissionPeriodInMonths: number | null
  selfReferrals: string
}
type Limits = { commissions: number; maxCommissions: number | null; periodEndsAt: string | null }
type Signal = { signal: keyof typeof texts.money.signals; outcome: keyof typeof texts.money.signalOutcomes }

export type Explained = {
  sentences: readonly string[]
  baseCents: number
  baseCurrency: string
  calculatedCents: number | null
  exactAmount: string | null
  /** Null for a commission that was given by hand: its sentences say all. */
  matchedBy: keyof typeof texts.money.signals | null
  signals: readonly Signal[]
  rule: Rule | null
  limits: Limits | null
}

/**
 * Why a sale belongs to its affiliate, and how the commission was calculated: sentences first, then every number.
 * @param currency of the commission
 */
export function Explanation({ explanation, currency }: { explanation: Explained; currency: string }) {
  const { sentences, matchedBy } = explanation
  return (
    <Card title={words.title}>
      <ul className="sentences">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {matchedBy !== null && <Numbers explanation={{ ...explanation, matchedBy }} currency={currency} />}
    </Card>
  )
}

type OfSale = Explained & { matchedBy: keyof typeof texts.money.signals }

function Numbers({ explanation, currency }: { explanation: OfSale; currency: string }) {
  const { baseCents, baseCurrency, calculatedCents, exactAmount, rule, limits } = explanation
  return (
    <>
      <dl className="facts">
        <Fact name={words.tried}>{signalsOf(explanation)}</Fact>
        <Fact name={words.base}>
          {formatMoney(baseCents, baseCurrency)} <span className="quiet">{words.baseHint}</span>
        </Fact>
        {rule && <Fact name={words.rule}>{ruleOf(rule)}</Fact>}
        {calculatedCents !== null && (
          <Fact name={words.result}>
            {formatMoney(calculatedCents, currency)}
            {exactAmount?.includes('.') && <span className="quiet"> {words.rounded(exactAmount)}</span>}
          </Fact>
        )}
        {limits && <Fact name={words.limit}>{words.ofLimit(limits.commissions, limits.maxCommissions)}</Fact>}
        {rule && (
          <Fact name={words.window}>
            {limits?.periodEndsAt ? (
              <>
                {words.until} <Day at={limits.periodEndsAt} />
              </>
            ) : (
              windowOf(rule)
            )}
          </Fact>
        )}
        {rule && <Fact name={words.dueAfter}>{words.days(rule.daysBeforeDue)}</Fact>}
        {rule && <Fact name={words.selfReferrals}>{words.policies[rule.selfReferrals] ?? rule.selfReferrals}</Fact>}
      </dl>
      {!rule && <p className="quiet">{words.noRule}</p>}
    </>
  )
}

const windowOf = ({ maxCommissionPeriodInMonths: months }: Rule) =>
  months === null ? words.noWindow : words.months(months)

const ruleOf = ({ commissionPercent, commissionAmountCents, commissionCurrency }: Rule) =>
  commissionPercent === null
    ? words.fixed(formatMoney(commissionAmountCents ?? 0, commissionCurrency))
    : words.percent(commissionPercent)

const signalsOf = ({ signals, matchedBy }: OfSale) =>
  signals.length === 0 ? texts.money.signals[matchedBy] : signalSentence(signals)

/** "Coupon: not found. Customer's e-mail: not in the report." */
export const signalSentence = (signals: readonly Signal[]): string =>
  signals
    .map(({ signal, outcome }) => `${texts.money.signals[signal]}: ${texts.money.signalOutcomes[outcome]}`)
    .join(' · ')
