import { described, optional, positiveCents } from '../../../kernel/input/fields.ts'
import { defineReward } from './reward.ts'

/** The amount is in minor units of the currency. */
export type AmountReward = { kind: 'amount'; amountCents: string; currency: string }

export const amount = defineReward({
  input: {
    amountCents: optional(
      described(
        positiveCents(),
        "A fixed amount for each sale, in minor units of the campaign's `commissionCurrency`.",
        { example: 1500 },
      ),
    ),
  },
  read: ({ amountCents }, { commissionCurrency: currency }) =>
    amountCents === undefined
      ? null
      : { value: { kind: 'amount', amountCents: String(amountCents), currency } satisfies AmountReward, problems: [] },
  currencyOf: ({ currency }) => currency,
  terms: ({ amountCents, currency }) => ({
    rewardType: 'amount',
    commissionBasisPoints: null,
    commissionAmountCents: BigInt(amountCents),
    commissionCurrency: currency,
  }),
  shown: ({ amountCents }) => ({ amountCents: BigInt(amountCents) }),
  rate: ({ amountCents, currency }) => ({ flat: { cents: BigInt(amountCents), currency } }),
})
