import type { Commission } from '../../../generated/prisma/client.ts'
import { type EarningRule, remainingCommission, remainingParts } from '../../../kernel/money/refund-effect.ts'
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
  /** The parts that earn by themselves, after refunds. A sale without lines is one. Empty if it earns nothing. */
  lines: readonly OutcomeLine[]
}

/** `ruleId` is the rule for products. Null: the reward of the whole sale. */
type OutcomeLine = { ruleId: string | null; saleCents: bigint; cents: bigint; quantity: number }

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
  const none = { cents: 0n, saleCents, lines: [] }
  if ('reason' in earned || isVoid) return { ...none, isCounted: false }
  if (isRefunded) return { ...none, isCounted: sale.holdsPlace }
  const rule = earningRule(ruleCopyOf(terms, earned), refunds)
  const most = sale.setCents ?? earned.amountCents
  const byRule = refunds.length === 0 ? most : remainingCommission(rule, saleCents)
  const cents = byRule < most ? byRule : most
  return { isCounted: true, cents, saleCents, lines: linesOf(rule, earned, cents, saleCents) }
}

function linesOf(rule: EarningRule, { lines }: Paying, cents: bigint, saleCents: bigint): OutcomeLine[] {
  if (!lines || !('parts' in rule)) return [{ ruleId: null, saleCents, cents, quantity: 1 }]
  const rests = remainingParts(rule.parts, saleCents)
  return lines.map(({ rule: own, quantity }, index) => {
    const { saleCents = 0n, cents = 0n, units } = rests[index] ?? {}
    return { ruleId: own?.id ?? null, saleCents, cents, quantity: units === undefined ? quantity : Number(units) }
  })
}

function storedOutcome({ stored }: SaleFact): Omit<Outcome, 'saleCents'> {
  const outcome = stored?.outcome ?? null
  return { isCounted: outcome?.isCounted ?? false, cents: outcome?.amountCents ?? 0n, lines: [] }
}
