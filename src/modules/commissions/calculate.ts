import type { Commission } from '../../generated/prisma/client.ts'
import type { NoCommissionReason, RewardType } from '../../generated/prisma/enums.ts'
import { addMonths } from '../../kernel/calendar.ts'
import { percentOf } from '../../kernel/money/amounts.ts'

/** The part of a campaign that says what a sale earns; it is copied onto the commission. */
export type Rule = {
  rewardType: RewardType
  commissionBasisPoints: number | null
  commissionAmountCents: bigint | null
  commissionCurrency: string
  maxCommissions: number | null
  maxCommissionPeriodInMonths: number | null
}

/**
 * What of a sale's commission its own copy of the rule still grants when part of the sale was given back, in minor units:
 * the percentage of what remains, half up; a fixed amount for as long as anything remains.
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

/** What the referral has earned so far. */
export type History = {
  /** Its commissions that are not void. */
  commissions: number
  /** When the sale of its first commission, void or not, occurred. */
  firstOccurredAt: Date | null
}

export type Earned = { amountCents: bigint; currency: string } | { reason: NoCommissionReason }

/**
 * What a sale earns: a percentage of it, half up, in its currency, or the campaign's fixed amount in the campaign's
 * currency; or the reason why it earns nothing. A period of n months ends n calendar months after it began, exclusive.
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
