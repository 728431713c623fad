import type { Commission, Refund } from '../../generated/prisma/client.ts'
import type { AttributionSignal } from '../../generated/prisma/enums.ts'
import { addDays } from '../../kernel/dates.ts'
import { type Part, remainingCommission, remainingParts } from '../../kernel/money/refund-effect.ts'
import { calculateCommission, earningRule, type History } from '../commissions/calculate.ts'
import type { CommissionLine } from '../commissions/lines.ts'
import type { SaleRule } from '../commissions/rule.ts'
import type { SoldItem } from '../rules/rule.ts'

export type SimulatedRule = SaleRule & {
  /** Null: no referral expired before its first sale, as it actually was. */
  daysBeforeReferralsExpire: number | null
}

/** A recorded sale in its current state. */
export type PastSale = {
  amountCents: bigint
  /** The sum of all refunds until now. They are deducted as if they had been made at the time of the sale. */
  refundedCents: bigint
  currency: string
  /** Empty if the report did not say. */
  items?: readonly SoldItem[]
  /** The refunds that name items. */
  refunds?: readonly Pick<Refund, 'items'>[]
  occurredAt: Date
  attributedBy: AttributionSignal
  referredAt: Date
  /** Whether a person voided its commission, or the campaign rejected it as a self-referral. */
  isDenied: boolean
}

export type Progress = { history: History; hasConverted: boolean }

export const noProgress: Progress = { history: { commissions: 0, firstOccurredAt: null }, hasConverted: false }

export type Replayed = {
  progress: Progress
  /** `lines` are what they earn after refunds, if the items earn by themselves. */
  earned: { amountCents: bigint; currency: string; lines?: readonly ReplayedLine[] } | null
}

/** `ruleId` is the rule for products. Null: the reward of the whole sale. */
export type ReplayedLine = { ruleId: string | null; saleCents: bigint; cents: bigint; quantity: number }

/** What a sale would have earned under another rule. Sales by coupon or by hand cannot expire. */
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
  const own = {
    ruleLines: (earned.lines ?? null) as Commission['ruleLines'],
    ruleRewardType: rule.rewardType,
    ruleBasisPoints: rule.commissionBasisPoints,
    ruleAmountCents: rule.commissionAmountCents,
  }
  const byRule = earningRule(own, sale.refunds ?? [])
  const granted = remainingCommission(byRule, remainingCents)
  const commissions = history.commissions + 1
  return {
    progress: { history: { commissions, firstOccurredAt }, hasConverted: true },
    earned: {
      amountCents: granted < earned.amountCents ? granted : earned.amountCents,
      currency: earned.currency,
      ...(earned.lines && 'parts' in byRule && { lines: replayedLines(earned.lines, byRule.parts, remainingCents) }),
    },
  }
}

const replayedLines = (
  lines: readonly CommissionLine[],
  parts: readonly Part[],
  remainingCents: bigint,
): ReplayedLine[] => {
  const rests = remainingParts(parts, remainingCents)
  return lines.map(({ rule, quantity }, index) => {
    const { saleCents = 0n, cents = 0n, units } = rests[index] ?? {}
    return { ruleId: rule?.id ?? null, saleCents, cents, quantity: units === undefined ? quantity : Number(units) }
  })
}
