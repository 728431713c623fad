import { described, optional, positiveCents } from '../../../kernel/input/fields.ts'
import { defineReward } from './reward.ts'

/** For a lead: such a rule is not for sales. The amount is in minor units of the currency. */
export type LeadReward = { kind: 'lead'; amountCents: string; currency: string }

export const lead = defineReward({
  input: {
    leadAmountCents: optional(
      described(
        positiveCents(),
        "A fixed amount for each new lead instead of sales, once per affiliate and customer, in minor units of the campaign's `commissionCurrency`. A lead that is created by a sale does not earn it.",
        { example: 500 },
      ),
    ),
  },
  isForLeads: true,
  read: ({ leadAmountCents: cents }, { commissionCurrency: currency }) =>
    cents === undefined
      ? null
      : { value: { kind: 'lead', amountCents: String(cents), currency } satisfies LeadReward, problems: [] },
  currencyOf: ({ currency }) => currency,
  shown: ({ amountCents }) => ({ leadAmountCents: BigInt(amountCents) }),
  rate: ({ amountCents, currency }) => ({ flat: { cents: BigInt(amountCents), currency } }),
})
