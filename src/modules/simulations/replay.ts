import type { AttributionSignal } from '../../generated/prisma/enums.ts'
import { addDays } from '../../kernel/calendar.ts'
import { calculateCommission, calculateRemaining, type History, type Rule } from '../commissions/calculate.ts'

export type SimulatedRule = Rule & {
  /** Null: no referral expired before its first sale, as it actually was. */
  daysBeforeReferralsExpire: number | null
}

/** A recorded sale in its current state. */
export type PastSale = {
  amountCents: bigint
  /** The sum of all refunds until now. They are deducted as if they had been made at the time of the sale. */
  refundedCents: bigint
  currency: string
  occurredAt: Date
  attributedBy: AttributionSignal
  referredAt: Date
  /** Whether a person voided its commission, or the campaign rejected it as a self-referral. */
  isDenied: boolean
}

export type Progress = { history: History; hasConverted: boolean }

export const noProgress: Progress = { history: { commissions: 0, firstOccurredAt: null }, hasConverted: false }

export type Replayed = { progress: Progress; earned: { amountCents: bigint; currency: string } | null }

/**
 * What a sale would have earned under another rule, after its referral's earlier sales. The expiry does not apply to
 * sales that were attributed by coupon or by hand.
 */
export function replaySale(rule: SimulatedRule, sale: PastSale, progress: Progress): Replayed {
  const { daysBeforeReferralsExpire: days } = rule
  const needsReferral = sale.attributedBy === 'referral_id' || sale.attributedBy === 'email'
  if (!progress.hasConverted && needsReferral && days !== null && sale.occurredAt >= addDays(sale.referredAt, days))
    return { progress, earned: null }

  const { history } = progress
  const earned = calculateCommission(rule, sale, history)
  if (sale.isDenied || 'reason' in earned) return { progress: { history, hasConverted: true }, earned: null }

  const remainingCents = sale.amountCents - sale.refundedCents
  const first = history.firstOccurredAt
  const firstOccurredAt = first && first < sale.occurredAt ? first : sale.occurredAt
  if (remainingCents === 0n)
    return { progress: { history: { ...history, firstOccurredAt }, hasConverted: true }, earned: null }
  const granted = calculateRemaining(
    {
      ruleRewardType: rule.rewardType,
      ruleBasisPoints: rule.commissionBasisPoints,
      ruleAmountCents: rule.commissionAmountCents,
    },
    remainingCents,
  )
  const commissions = history.commissions + 1
  return {
    progress: { history: { commissions, firstOccurredAt }, hasConverted: true },
    earned: { amountCents: granted < earned.amountCents ? granted : earned.amountCents, currency: earned.currency },
  }
}
