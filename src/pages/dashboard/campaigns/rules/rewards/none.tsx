import { texts } from '../../../texts.ts'
import { defineReward } from './reward.ts'

export const none = defineReward<Record<never, never>>({
  empty: {},
  Fields: () => null,
  input: () => ({ none: true }),
  said: ({ percent, amountCents, leadAmountCents, tiers }) =>
    percent === null && amountCents === null && leadAmountCents === null && !tiers
      ? texts.campaigns.rules.nothing
      : null,
})
