import type { AttributionSignal, HeldReason, RewardType, SelfReferralPolicy } from '../../../generated/prisma/enums.ts'
import { addMonths } from '../../../kernel/calendar.ts'
import type { History } from '../../commissions/calculate.ts'
import type { RuleSource } from '../../commissions/new-commission.ts'

export const signalOutcomes = [
  'matched',
  'not_given',
  'not_tried',
  'not_usable',
  'not_found',
  'expired',
  'affiliate_not_active',
  'archived',
] as const
export type SignalOutcome = (typeof signalOutcomes)[number]

/** A field of a report that was left out because it could not be used. */
export type DroppedField = { field: string; problem: string }

export type TriedSignal = { signal: AttributionSignal; outcome: SignalOutcome }

/**
 * How a sale was attributed and its commission calculated, stored with the sale as JSON: amounts are text, times ISO
 * 8601. Later changes of the campaign or affiliate do not affect it.
 */
export type Decision = {
  signals: TriedSignal[]
  /** Absent from sales that were recorded before unusable fields were left out. */
  dropped?: DroppedField[]
  rule: {
    rewardType: RewardType
    basisPoints: number | null
    amountCents: string | null
    currency: string
    daysBeforeDue: number
    maxCommissions: number | null
    maxPeriodInMonths: number | null
    selfReferrals: SelfReferralPolicy
  }
  counted: {
    /** The number of the referral's commissions before this sale, without void ones. */
    commissions: number
    periodBeganAt: string | null
    periodEndsAt: string | null
  }
  selfReferral: HeldReason | null
}

export function decisionOf(
  { signals, dropped }: Required<Pick<Decision, 'signals' | 'dropped'>>,
  campaign: RuleSource,
  history: History,
  selfReferral: HeldReason | null,
): Decision {
  const { firstOccurredAt: began } = history
  const { maxCommissionPeriodInMonths: months } = campaign
  return {
    signals,
    dropped,
    rule: {
      rewardType: campaign.rewardType,
      basisPoints: campaign.commissionBasisPoints,
      amountCents: campaign.commissionAmountCents?.toString() ?? null,
      currency: campaign.commissionCurrency,
      daysBeforeDue: campaign.daysBeforeCommissionsAreDue,
      maxCommissions: campaign.maxCommissions,
      maxPeriodInMonths: months,
      selfReferrals: campaign.selfReferrals,
    },
    counted: {
      commissions: history.commissions,
      periodBeganAt: began?.toISOString() ?? null,
      periodEndsAt: began && months !== null ? addMonths(began, months).toISOString() : null,
    },
    selfReferral,
  }
}
