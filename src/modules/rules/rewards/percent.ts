import { described, optional, percent as percentage } from '../../../kernel/input/fields.ts'
import { aboveAll, defineReward, maxPercent } from './reward.ts'

export type PercentReward = { kind: 'percent'; basisPoints: number }

export const percent = defineReward({
  input: {
    percent: optional(
      described(
        percentage(maxPercent),
        'The percentage of the sale, with at most two decimal places. Above 100 only with `confirmAboveAll` of the rule.',
      ),
    ),
  },
  read: (given) =>
    given.percent === undefined
      ? null
      : { value: { kind: 'percent', basisPoints: given.percent } satisfies PercentReward, problems: [] },
  aboveAll: ({ basisPoints }) => aboveAll(basisPoints),
  currencyOf: () => null,
  terms: ({ basisPoints }) => ({
    rewardType: 'percent',
    commissionBasisPoints: basisPoints,
    commissionAmountCents: null,
  }),
  shown: ({ basisPoints }) => ({ percent: basisPoints / 100 }),
  rate: ({ basisPoints }) => ({ flat: { basisPoints } }),
})
