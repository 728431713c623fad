import { described, flag, optional } from '../../../kernel/input/fields.ts'
import { defineReward } from './reward.ts'

export type NoReward = { kind: 'none' }

export const none = defineReward({
  input: { none: optional(described(flag(), 'Whether such sales earn nothing.')) },
  read: (given) => (given.none ? { value: { kind: 'none' } satisfies NoReward, problems: [] } : null),
  currencyOf: () => null,
  terms: () => ({
    rewardType: 'percent',
    commissionBasisPoints: 0,
    commissionAmountCents: null,
    earnsNothing: true,
  }),
  rate: () => ({ flat: null }),
})
