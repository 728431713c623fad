import type { RewardType, SelfReferralPolicy } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const RewardTypeEnum = defineEnum('RewardType', 'What a campaign pays for a sale.', {
  percent: 'A share of the sale, in its currency.',
  amount: "A fixed amount, in the campaign's currency.",
} satisfies Record<RewardType, string>)

export const SelfReferralPolicyEnum = defineEnum(
  'SelfReferralPolicy',
  "What becomes of a sale to the affiliate's own e-mail or company.",
  {
    allow: 'It earns as any other.',
    hold: 'Its commission stays pending until a person decides.',
    reject: 'It earns nothing; the sale says why.',
  } satisfies Record<SelfReferralPolicy, string>,
)
