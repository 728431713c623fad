import { z } from 'zod'
import {
  cents,
  clearable,
  currency,
  described,
  flag,
  oneOf,
  optional,
  percent,
  required,
  text,
  unchangedIfAbsent,
  url,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { listed, mostAtOnce } from '../../kernel/input/lists.ts'
import { pageFields } from '../../listing/page-fields.ts'

const name = described(text(), 'The name of the campaign.', { example: 'Partners' })
const address = described(
  url(),
  "The page that the links of the campaign's affiliates lead to: an absolute http(s) URL.",
)
const isPrivate = described(flag(), 'Whether the campaign is hidden from affiliates who were not invited.', {
  default: false,
})
const rewardType = described(
  oneOf('RewardType', ['percent', 'amount']),
  'Whether the campaign pays a percentage or a fixed amount. Required only if both rewards are given.',
)
const commissionPercent = described(
  percent(),
  'The percentage of each sale that is paid as commission, from 0 to 100, with at most two decimal places.',
)
const commissionAmountCents = described(
  cents(),
  'The fixed commission for each sale, in minor units of `commissionCurrency`.',
  { example: 1500 },
)
const commissionCurrency = described(
  currency(),
  "The currency of the fixed commission, as an ISO 4217 code. Defaults to the program's currency.",
)
const minimumPayoutCents = described(
  cents(),
  "The smallest amount at which a payout can be paid, in minor units of the payout's currency. A currency in `minimumPayouts` has its own.",
  { default: 0 },
)

export const minimumPayoutInput = z.object({
  currency: required(described(currency(), 'The currency of the payouts, as an ISO 4217 code.', { example: 'eur' })),
  amountCents: required(
    described(cents(), 'The smallest amount at which such a payout can be paid, in minor units of `currency`.', {
      example: 2000,
    }),
  ),
})
const minimumPayouts = described(
  listed('MinimumPayoutInput', minimumPayoutInput, mostAtOnce),
  `The minimums of currencies that have their own, at most ${mostAtOnce}. \`minimumPayoutCents\` is for all others. An empty list removes them.`,
)
const days = () => wholeNumber(0, 36_500)
const daysBeforeReferralsExpire = described(
  days(),
  'The number of days after its creation in which a referral can become a lead or a conversion.',
  { default: 60, example: 60 },
)
const daysBeforeCommissionsAreDue = described(days(), 'The number of days from a sale until its commission is due.', {
  default: 30,
  example: 30,
})
const maxCommissions = described(
  wholeNumber(1, 1_000_000),
  'The number of commissions that one referral can earn. Not limited by default.',
  { example: 12 },
)
const maxCommissionPeriodInMonths = described(
  wholeNumber(1, 1_200),
  'The number of calendar months, from the first commission of a referral, in which its sales earn commissions. Not limited by default.',
  { example: 12 },
)

const selfReferrals = described(
  oneOf('SelfReferralPolicy', ['allow', 'hold', 'reject']),
  "How to treat a sale to the affiliate's own e-mail, or to an e-mail of the same domain. Domains of free mail providers are not compared.",
  { default: 'hold' },
)

export const createCampaignInput = z.object({
  name: required(name),
  url: required(address),
  private: optional(isPrivate),
  rewardType: optional(rewardType),
  commissionPercent: optional(commissionPercent),
  commissionAmountCents: optional(commissionAmountCents),
  commissionCurrency: optional(commissionCurrency),
  minimumPayoutCents: optional(minimumPayoutCents),
  minimumPayouts: optional(minimumPayouts),
  daysBeforeReferralsExpire: optional(daysBeforeReferralsExpire),
  daysBeforeCommissionsAreDue: optional(daysBeforeCommissionsAreDue),
  maxCommissions: optional(maxCommissions),
  maxCommissionPeriodInMonths: optional(maxCommissionPeriodInMonths),
  selfReferrals: optional(selfReferrals),
})

export const updateCampaignInput = z.object({
  name: unchangedIfAbsent(name),
  url: unchangedIfAbsent(address),
  private: unchangedIfAbsent(isPrivate),
  rewardType: unchangedIfAbsent(rewardType),
  commissionPercent: clearable(commissionPercent),
  commissionAmountCents: clearable(commissionAmountCents),
  commissionCurrency: unchangedIfAbsent(commissionCurrency),
  minimumPayoutCents: unchangedIfAbsent(minimumPayoutCents),
  minimumPayouts: unchangedIfAbsent(minimumPayouts),
  daysBeforeReferralsExpire: unchangedIfAbsent(daysBeforeReferralsExpire),
  daysBeforeCommissionsAreDue: unchangedIfAbsent(daysBeforeCommissionsAreDue),
  maxCommissions: clearable(maxCommissions),
  maxCommissionPeriodInMonths: clearable(maxCommissionPeriodInMonths),
  selfReferrals: unchangedIfAbsent(selfReferrals),
})

export const listCampaignsInput = z.object({ ...pageFields })
