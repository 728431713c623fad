import type { Commission } from '../../generated/prisma/client.ts'
import type { NoCommissionReason, RewardType } from '../../generated/prisma/enums.ts'
import { addMonths } from '../../kernel/calendar.ts'
import { type EarningRule, remainingCommission } from '../../kernel/money/refund-effect.ts'
import { percentOf } from '../../kernel/money/rounding.ts'

/** The fields of a campaign that determine what a sale earns. They are copied to the commission. */
export type Rule = {
  rewardType: RewardType
  commissionBasisPoints: number | null
  commissionAmountCents: bigint | null
  commissionCurrency: string
  maxCommissions: number | null
  maxCommissionPeriodInMonths: number | null
}

type OwnRule = Pick<Commission, 'ruleRewardType' | 'ruleBasisPoints' | 'ruleAmountCents'>

export const earningRule = (rule: OwnRule): EarningRule =>
  rule.ruleRewardType === 'percent'
    ? { basisPoints: rule.ruleBasisPoints ?? 0 }
    : { amountCents: rule.ruleAmountCents ?? 0n }

/** The commission for the part of a sale that remains after refunds, by the commission's own copy of the rule. */
export const calculateRemaining = (rule: OwnRule, remainingCents: bigint): bigint =>
  remainingCommission(earningRule(rule), remainingCents)

/** What the referral has earned before a sale. */
export type History = {
  /** The number of its commissions that are not void. */
  commissions: number
  /** When the sale of its first commission occurred, even if that commission is void now. */
  firstOccurredAt: Date | null
}

export type Earned = { amountCents: bigint; currency: string } | { reason: NoCommissionReason }

/**
 * What a sale earns: a percentage in its currency, rounded half up, or the campaign's fixed amount in the campaign's
 * currency; or why it earns nothing. A period of n months ends n calendar months later, exclusive. Source: the
 * contract's decisions on commissions.
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
