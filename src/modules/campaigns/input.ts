import { z } from 'zod'
import {
  cents,
  clearable,
  currency,
  described,
  flag,
  kept,
  oneOf,
  optional,
  percent,
  required,
  text,
  url,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { pageFields } from '../../kernel/pagination/page.ts'

const name = described(text(), 'What the campaign is called.', { example: 'Partners' })
const address = described(url(), 'Where its links lead: an absolute http(s) address.')
const isPrivate = described(flag(), 'Kept out of sight of affiliates who were not invited.', { default: false })
const rewardType = described(
  oneOf('RewardType', ['percent', 'amount']),
  'Which of the two rewards counts. Needed only where both are given.',
)
const commissionPercent = described(
  percent(),
  'The share of each sale that is paid, 0 to 100, two decimal places at most.',
)
const commissionAmountCents = described(
  cents(),
  'A fixed commission for each sale, in minor units of `commissionCurrency`.',
  { example: 1500 },
)
const commissionCurrency = described(
  currency(),
  "ISO 4217, of the fixed commission. The program's currency, unless given.",
)
const minimumPayoutCents = described(
  cents(),
  'The least a payout has to come to before it can be paid, in minor units of its currency.',
  { default: 0 },
)
const days = () => wholeNumber(0, 36_500)
const daysBeforeReferralsExpire = described(
  days(),
  'Days from a referral to its end: it can become a lead or a conversion until then.',
  { default: 60, example: 60 },
)
const daysBeforeCommissionsAreDue = described(days(), 'Days from a sale to the day its commission is due.', {
  default: 30,
  example: 30,
})
const maxCommissions = described(
  wholeNumber(1, 1_000_000),
  'How many sales of one customer earn a commission. No limit unless given.',
  { example: 12 },
)
const maxCommissionPeriodInMonths = described(
  wholeNumber(1, 1_200),
  "Calendar months from a customer's first commission during which sales earn one. No limit unless given.",
  { example: 12 },
)

const selfReferrals = described(
  oneOf('SelfReferralPolicy', ['allow', 'hold', 'reject']),
  "What becomes of the commission of a sale to the affiliate's own e-mail, or to one of the same domain that is no free mail provider's.",
  { default: 'allow' },
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
  daysBeforeReferralsExpire: optional(daysBeforeReferralsExpire),
  daysBeforeCommissionsAreDue: optional(daysBeforeCommissionsAreDue),
  maxCommissions: optional(maxCommissions),
  maxCommissionPeriodInMonths: optional(maxCommissionPeriodInMonths),
  selfReferrals: optional(selfReferrals),
})

export const updateCampaignInput = z.object({
  name: kept(name),
  url: kept(address),
  private: kept(isPrivate),
  rewardType: kept(rewardType),
  commissionPercent: clearable(commissionPercent),
  commissionAmountCents: clearable(commissionAmountCents),
  commissionCurrency: kept(commissionCurrency),
  minimumPayoutCents: kept(minimumPayoutCents),
  daysBeforeReferralsExpire: kept(daysBeforeReferralsExpire),
  daysBeforeCommissionsAreDue: kept(daysBeforeCommissionsAreDue),
  maxCommissions: clearable(maxCommissions),
  maxCommissionPeriodInMonths: clearable(maxCommissionPeriodInMonths),
  selfReferrals: kept(selfReferrals),
})

export const listCampaignsInput = z.object({ ...pageFields })
