import type {
  AttributionSignal,
  BillingInterval,
  HeldReason,
  RewardType,
  SelfReferralPolicy,
} from '../../generated/prisma/enums.ts'
import { addMonths } from '../../kernel/dates.ts'
import type { History } from '../commissions/calculate.ts'
import type { RuleSource } from '../commissions/new-commission.ts'
import type { ItemRule, SaleRule } from '../commissions/rule.ts'
import type { AppliedRule } from '../rules/apply.ts'
import type { CapLimit } from '../rules/cap.ts'
import type { Tiers } from '../rules/rewards/tiers.ts'
import type { SoldItem } from '../rules/sale.ts'
import type { TierOfSale } from '../rules/tiers.ts'

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

/** What a feed said when it recorded or changed a sale. Where the sale differs, somebody else has changed it. */
export type FeedReport = {
  feedId: string
  /** What the amounts included then. */
  includes: string[]
  /** The rank of the description. */
  rank: number
  amountCents: string
  billingInterval: BillingInterval | null
  paymentNumber: number | null
  items: SoldItem[]
  /** The values that it named: where a referral is expected, and codes. */
  referrals: string[]
  coupons: string[]
}

/** How a sale was attributed and its commission calculated, stored as JSON: amounts are text, times ISO 8601. */
export type Decision = {
  signals: TriedSignal[]
  /** Absent from sales that were recorded before unusable fields were left out. */
  dropped?: DroppedField[]
  /** The keys of the codes that were reported, see `couponKey`. Absent without one. */
  coupons?: string[]
  /** Absent unless a feed has recorded the sale. */
  feed?: FeedReport
  /** Absent if the report said when the sale occurred. Otherwise it occurred when it was recorded. */
  isUntimed?: boolean
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
    /** Absent if the rule has no tiers. */
    tier?: StoredTier
    /** Absent if the rule has no cap. */
    cap?: StoredLimit[]
    /** The rules for products that have tiers or a cap. Absent if none applied to an item. */
    products?: { id: string; name: string; tier?: StoredTier; cap?: StoredLimit[] }[]
  }
  counted: {
    /** The number of the referral's commissions before this sale, without void ones. */
    commissions: number
    periodBeganAt: string | null
    periodEndsAt: string | null
  }
  selfReferral: HeldReason | null
}

/** `before` is the measure before the sale, `step` the number of the step. */
type StoredTier = Tiers & { before: string; step: number }

type StoredLimit = { per: CapLimit['per']; atMostCents: string; usedCents: string }

const storedTier = ({ tiers, before, step }: TierOfSale): StoredTier => ({ ...tiers, before: String(before), step })

const storedLimit = ({ per, atMostCents, usedCents }: CapLimit) => {
  return { per, atMostCents: String(atMostCents), usedCents: String(usedCents) }
}

/** The limits of the cap of the rule of a sale, or of a rule for products. */
export const capOf = (rule: { cap?: StoredLimit[] } | undefined): CapLimit[] =>
  (rule?.cap ?? []).map(({ per, atMostCents, usedCents }) => {
    return { per, atMostCents: BigInt(atMostCents), usedCents: BigInt(usedCents) }
  })

const countedBy = ({ tier, cap }: Pick<ItemRule, 'tier' | 'cap'>) => {
  return { ...(tier && { tier: storedTier(tier) }), ...(cap && { cap: cap.map(storedLimit) }) }
}

function productsOf(itemTerms: SaleRule['itemTerms'] = []): Pick<Decision['rule'], 'products'> {
  const counting = itemTerms.flatMap((one) => (one?.tier || one?.cap ? [one] : []))
  const byId = new Map(counting.map((one) => [one.rule.id, { ...one.rule, ...countedBy(one) }]))
  return byId.size > 0 ? { products: [...byId.values()] } : {}
}

export function decisionOf(
  {
    signals,
    dropped,
    coupons,
    feed,
    isUntimed,
  }: Required<Pick<Decision, 'signals' | 'dropped'>> & Pick<Decision, 'coupons' | 'feed' | 'isUntimed'>,
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
    ...(feed && { feed }),
    ...(isUntimed && { isUntimed }),
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
      ...countedBy(campaign),
      ...productsOf(campaign.itemTerms),
    },
    counted: {
      commissions: history.commissions,
      periodBeganAt: began?.toISOString() ?? null,
      periodEndsAt: began && months !== null ? addMonths(began, months).toISOString() : null,
    },
    selfReferral,
  }
}
