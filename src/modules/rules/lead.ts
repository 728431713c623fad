import type { Campaign } from '../../generated/prisma/client.ts'
import { chooseRule } from './choose.ts'
import type { StoredRule } from './rule.ts'
import type { RuleVersion } from './versions.ts'

/** A lead of an affiliate, by which a rule is chosen. */
export type LeadToReward = { affiliateId: string; groupIds: readonly string[]; occurredAt: Date }

/** What a lead earns by a rule, in minor units of `currency`. */
export type LeadReward = {
  rule: Pick<StoredRule, 'id' | 'name'>
  amountCents: bigint
  currency: string
  daysBeforeDue: number
}

/** What a lead earns: by the first rule with a reward for leads whose conditions hold. Null: nothing. */
export function leadRewardOf(
  campaign: Pick<Campaign, 'daysBeforeCommissionsAreDue'>,
  { leadRules }: RuleVersion,
  lead: LeadToReward,
): LeadReward | null {
  const { rule } = chooseRule(leadRules, { ...lead, ...noSale })
  if (rule?.reward.kind !== 'lead') return null
  const { amountCents, currency } = rule.reward
  return {
    rule: { id: rule.id, name: rule.name },
    amountCents: BigInt(amountCents),
    currency,
    daysBeforeDue: rule.limits.daysBeforeDue ?? campaign.daysBeforeCommissionsAreDue,
  }
}

/** Rules for leads have no conditions about sales. */
const noSale = {
  couponKeys: [],
  amountCents: 0n,
  currency: '',
  productId: null,
  billingInterval: null,
  paymentNumber: null,
  customerSince: null,
}
