import type { AttributionSignal } from '../../generated/prisma/enums.ts'
import { addDays } from '../../kernel/calendar.ts'
import { calculateCommission, calculateRemaining, type History, type Rule } from '../commissions/calculate.ts'

/** A campaign's rule as it would have been. */
export type SimulatedRule = Rule & {
  /** Null: every referral that led to a sale was in time, as it really was. */
  daysBeforeReferralsExpire: number | null
}

/** A sale as it is now, with what it is taken to have been. */
export type PastSale = {
  amountCents: bigint
  /** What was given back until today; it is taken off as if it had been at once. */
  refundedCents: bigint
  currency: string
  occurredAt: Date
  attributedBy: AttributionSignal
  referredAt: Date
  /** A person, or the campaign's policy on self-referrals, decided that it earns nothing. */
  isDenied: boolean
}

/** What a referral has come to in the simulation. */
export type Progress = { history: History; hasConverted: boolean }

export const noProgress: Progress = { history: { commissions: 0, firstOccurredAt: null }, hasConverted: false }

export type Replayed = { progress: Progress; earned: { amountCents: bigint; currency: string } | null }

/**
 * What a sale would have earned under another rule, after the sales of its referral before it: the same calculation that
 * reports go through. A coupon, or a person, needs no referral that is in time.
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
