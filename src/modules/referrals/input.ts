import { z } from 'zod'
import { described, email, optional, reference, required, someOf, text } from '../../kernel/input/fields.ts'
import { pageFields } from '../../listing/page-fields.ts'
import { subId } from '../affiliates/links/sub-id.ts'
import { tokenInAddress } from '../affiliates/tokens.ts'

export const conversionStates = ['visitor', 'lead', 'conversion'] as const
export type ConversionState = (typeof conversionStates)[number]

export const recordVisitInput = z.object({
  token: required(described(tokenInAddress(), "The token of the affiliate's link: the value of `via` in the URL.")),
  sub: optional(
    described(subId(), 'Where the affiliate used the link: the value of `sub` in the URL.', { example: 'video-12' }),
  ),
})

export const recordLeadInput = z.object({
  referralId: required(described(reference(), 'The referral whose visitor gave their e-mail.')),
  email: required(
    described(email(), "The lead's e-mail. Later sales with this e-mail are attributed to the referral's affiliate.", {
      example: 'grace@example.com',
    }),
  ),
  name: optional(described(text(), "The lead's name.", { example: 'Grace Hopper' })),
  billingCustomerId: optional(
    described(text(), "The lead's customer id in the billing system.", { example: 'cus_456' }),
  ),
})

export const listReferralsInput = z.object({
  ...pageFields,
  conversionState: optional(
    described(someOf('ConversionState', conversionStates), 'Only referrals in one of these states.'),
  ),
  affiliateId: optional(described(reference(), 'Only referrals of this affiliate.')),
  campaignId: optional(described(reference(), 'Only referrals of this campaign.')),
  email: optional(
    described(text(), 'Only referrals of the customer with this e-mail, compared without regard to case.'),
  ),
  billingCustomerId: optional(described(text(), 'Only referrals with this customer id in the billing system.')),
})

const changeReason = optional(
  described(text(), 'Why, for the history of the referral.', { example: 'They asked for it' }),
)

export const endReferralInput = z.object({ reason: changeReason })

export const moveReferralInput = z.object({
  affiliateId: required(described(reference(), 'The id of the affiliate to whom the customer belongs from now on.')),
  reason: changeReason,
})
