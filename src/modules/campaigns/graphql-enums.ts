import type { RewardType, SelfReferralPolicy } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const RewardTypeEnum = defineEnum('RewardType', 'How a campaign computes the commission of a sale.', {
  percent: "A percentage of the sale, in the sale's currency.",
  amount: "A fixed amount, in the campaign's commission currency.",
} satisfies Record<RewardType, string>)

export const SelfReferralPolicyEnum = defineEnum(
  'SelfReferralPolicy',
  "How a sale to the affiliate's own e-mail or company is treated.",
  {
    allow: 'The sale earns a commission like any other.',
    hold: 'The commission stays pending until a person approves or voids it.',
    reject: 'The sale earns no commission. The sale records the reason.',
  } satisfies Record<SelfReferralPolicy, string>,
)
