import type { Commission } from '../../generated/prisma/client.ts'
import type { NoCommissionReason, RewardType } from '../../generated/prisma/enums.ts'
import { addMonths } from '../../kernel/calendar.ts'
import { percentOf } from '../../kernel/money/amounts.ts'

/** The fields of a campaign that determine what a sale earns. They are copied to the commission. */
export type Rule = {
  rewardType: RewardType
  commissionBasisPoints: number | null
  commissionAmountCents: bigint | null
  commissionCurrency: string
  maxCommissions: number | null
  maxCommissionPeriodInMonths: number | null
}

/**
 * The commission for the part of a sale that remains after refunds, by the commission's own copy of the rule, in minor
 * units. A percentage applies to the remaining amount, rounded half up. A fixed amount stays whole until nothing remains.
 */
export function calculateRemaining(
  rule: Pick<Commission, 'ruleRewardType' | 'ruleBasisPoints' | 'ruleAmountCents'>,
  remainingCents: bigint,
): bigint {
  if (remainingCents === 0n) return 0n
  return rule.ruleRewardType === 'percent'
    ? percentOf(remainingCents, rule.ruleBasisPoints ?? 0)
    : (rule.ruleAmountCents ?? 0n)
}

/** What the referral has earned before a sale. */
export type History = {
  /** The number of its commissions that are not void. */
  commissions: number
  /** When the sale of its first commission occurred, even if that commission is void now. */
  firstOccurredAt: Date | null
}

export type Earned = { amountCents: bigint; currency: string } | { reason: NoCommissionReason }

/**
 * Calculates what a sale earns: a percentage of it in its currency, rounded half up, or the campaign's fixed amount in the
 * campaign's currency; or the reason why it earns nothing. A period of n months ends n calendar months after its start,
 * exclusive.
 *
 * Source: the contract's decisions on commissions.
 */
export function calculateCommission(
  rule: Rule,
  sale: { amountCents: bigint; currency: string; occurredAt: Date },
  history: History,
): Earned {
  if (rule.maxCommissions !== null && history.commissions >= rule.maxCommissions)
    return { reason: 'max_commissions_reached' }
  if (rule.maxCommissionPeriodInMonths !== null && history.firstOccurredAt !== null) {
    const end = addMonths(history.firstOccurredAt, rule.maxCommissionPeriodInMonths)
    if (sale.occurredAt >= end) return { reason: 'commission_period_over' }
  }
  const earned =
    rule.rewardType === 'percent'
      ? { amountCents: percentOf(sale.amountCents, rule.commissionBasisPoints ?? 0), currency: sale.currency }
      : { amountCents: rule.commissionAmountCents ?? 0n, currency: rule.commissionCurrency }
  return earned.amountCents === 0n ? { reason: 'amount_rounds_to_zero' } : earned
}
