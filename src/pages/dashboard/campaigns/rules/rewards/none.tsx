import type { CampaignRuleFragment } from '../../../../../generated/dashboard/campaigns/graphql.ts'
import { texts } from '../../../texts.ts'
import { defineReward } from './reward.ts'

export const none = defineReward<Record<never, never>>({
  empty: {},
  Fields: () => null,
  input: () => ({ none: true }),
  typed: (reward) => (isNone(reward) ? {} : null),
  said: (reward) => (isNone(reward) ? texts.campaigns.rules.nothing : null),
})

function isNone({ percent, amountCents, leadAmountCents, tiers }: CampaignRuleFragment['reward']): boolean {
  return percent === null && amountCents === null && leadAmountCents === null && !tiers
}
