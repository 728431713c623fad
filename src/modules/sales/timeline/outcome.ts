import type { Commission } from '../../../generated/prisma/client.ts'
import { remainingCommission, remainingParts } from '../../../kernel/money/refund-effect.ts'
import { type Earned, earningRule } from '../../commissions/calculate.ts'
import type { RuleSource } from '../../commissions/new-commission.ts'
import type { RefundFact, SaleFact } from './fact.ts'

/** What a sale has earned at some time, after the refunds until then. */
export type Outcome = {
  /** Whether it holds a place among the commissions of its referral. */
  isCounted: boolean
  cents: bigint
  /** The part of the sale that is not refunded. */
  saleCents: bigint
  /** What rules for products have earned, by their id. */
  byProductRule: ReadonlyMap<string, bigint>
}

type Paying = Exclude<Earned, { reason: unknown }>

/** The columns of a commission that say how its sale earns. */
export const ruleCopyOf = (terms: RuleSource, earned: Paying) => ({
  ruleRewardType: terms.rewardType,
  ruleBasisPoints: terms.commissionBasisPoints,
  ruleAmountCents: terms.commissionAmountCents,
  ruleLines: (earned.lines ?? null) as Commission['ruleLines'],
})

/** @param refunds those that count @param isVoid whether a person has voided the commission */
export function outcomeOf(
  sale: SaleFact,
  terms: RuleSource,
  earned: Earned,
  refunds: readonly RefundFact[],
  isVoid: boolean,
): Outcome {
  const saleCents = refunds.reduce((rest, { amountCents }) => rest - amountCents, sale.amountCents)
  const isRefunded = refunds.length > 0 && saleCents <= 0n
  if (sale.stored) return { ...storedOutcome(sale), saleCents }
  const none = { cents: 0n, saleCents, byProductRule: new Map<string, bigint>() }
  if ('reason' in earned || isVoid) return { ...none, isCounted: false }
  if (isRefunded) return { ...none, isCounted: sale.holdsPlace }
  const rule = earningRule(ruleCopyOf(terms, earned), refunds)
  const most = sale.setCents ?? earned.amountCents
  const byRule = refunds.length === 0 ? most : remainingCommission(rule, saleCents)
  const byProductRule = new Map<string, bigint>()
  if ('parts' in rule)
    for (const [index, { cents }] of remainingParts(rule.parts, saleCents).entries()) {
      const id = earned.lines?.[index]?.rule?.id
      if (id) byProductRule.set(id, (byProductRule.get(id) ?? 0n) + cents)
    }
  return { isCounted: true, cents: byRule < most ? byRule : most, saleCents, byProductRule }
}

function storedOutcome({ stored }: SaleFact): Omit<Outcome, 'saleCents'> {
  const outcome = stored?.outcome ?? null
  return { isCounted: outcome !== null, cents: outcome?.amountCents ?? 0n, byProductRule: new Map() }
}
