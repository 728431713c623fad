import type { AttributionSignal, HeldReason, RewardType, SelfReferralPolicy } from '../../../generated/prisma/enums.ts'
import { addMonths } from '../../../kernel/dates.ts'
import type { History } from '../../commissions/calculate.ts'
import type { RuleSource } from '../../commissions/new-commission.ts'
import type { AppliedRule } from '../../rules/apply.ts'
import type { CapLimit } from '../../rules/cap.ts'
import type { Tiers } from '../../rules/tiers.ts'

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

/** How a sale was attributed and its commission calculated, stored as JSON: amounts are text, times ISO 8601. */
export type Decision = {
  signals: TriedSignal[]
  /** Absent from sales that were recorded before unusable fields were left out. */
  dropped?: DroppedField[]
  /** The keys of the codes that were reported, see `couponKey`. Absent without one. */
  coupons?: string[]
  rule: {
    rewardType: RewardType
    basisPoints: number | null
    amountCents: string | null
    currency: string
    daysBeforeDue: number
    maxCommissions: number | null
    maxPeriodInMonths: number | null
    selfReferrals: SelfReferralPolicy
    /** Absent if the campaign had no rules beside its own reward. */
    applied?: AppliedRule
    /** Absent if the rule has no tiers. `before` is the measure before the sale, `step` the number of the step. */
    tier?: Tiers & { before: string; step: number }
    /** Absent if the rule has no cap. */
    cap?: { per: CapLimit['per']; atMostCents: string; usedCents: string }[]
  }
  counted: {
    /** The number of the referral's commissions before this sale, without void ones. */
    commissions: number
    periodBeganAt: string | null
    periodEndsAt: string | null
  }
  selfReferral: HeldReason | null
}

const storedLimit = ({ per, atMostCents, usedCents }: CapLimit) => {
  return { per, atMostCents: String(atMostCents), usedCents: String(usedCents) }
}

/** The limits of the cap of a sale. */
export const capOf = (decision: Decision | null): CapLimit[] =>
  (decision?.rule.cap ?? []).map(({ per, atMostCents, usedCents }) => {
    return { per, atMostCents: BigInt(atMostCents), usedCents: BigInt(usedCents) }
  })

export function decisionOf(
  { signals, dropped, coupons }: Required<Pick<Decision, 'signals' | 'dropped'>> & Pick<Decision, 'coupons'>,
  campaign: RuleSource,
  history: History,
  selfReferral: HeldReason | null,
): Decision {
  const { firstOccurredAt: began } = history
  const { maxCommissionPeriodInMonths: months } = campaign
  return {
    signals,
    dropped,
    ...(coupons?.length ? { coupons } : {}),
    rule: {
      rewardType: campaign.rewardType,
      basisPoints: campaign.commissionBasisPoints,
      amountCents: campaign.commissionAmountCents?.toString() ?? null,
      currency: campaign.commissionCurrency,
      daysBeforeDue: campaign.daysBeforeCommissionsAreDue,
      maxCommissions: campaign.maxCommissions,
      maxPeriodInMonths: months,
      selfReferrals: campaign.selfReferrals,
      ...(campaign.applied && { applied: campaign.applied }),
      ...(campaign.tier && {
        tier: { ...campaign.tier.tiers, before: String(campaign.tier.before), step: campaign.tier.step },
      }),
      ...(campaign.cap && { cap: campaign.cap.map(storedLimit) }),
    },
    counted: {
      commissions: history.commissions,
      periodBeganAt: began?.toISOString() ?? null,
      periodEndsAt: began && months !== null ? addMonths(began, months).toISOString() : null,
    },
    selfReferral,
  }
}
