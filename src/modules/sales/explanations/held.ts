import type { HeldReason } from '../../../generated/prisma/enums.ts'
import { type Hold, heldReasonsOf } from '../../referrals/held-reasons.ts'

const sentences: Record<HeldReason, string> = {
  self_referral_email: 'Held as a possible self-referral until a person approves or voids it.',
  self_referral_domain: 'Held as a possible self-referral until a person approves or voids it.',
  self_referral_lookalike:
    "Held until a person approves or voids it: the customer's address looks like the affiliate's own.",
  visit_after_sale:
    'Held until a person approves or voids it: the referral id names a visit that was made after the sale.',
  dispute: 'Held while the customer disputes the payment.',
  terms_not_accepted: 'Held until the affiliate accepts the terms of the program.',
}

/** A sentence for each reason that holds the commission. */
export const heldSentences = (commission: Hold): string[] =>
  heldReasonsOf(commission).map((reason) => sentences[reason])

/** Whether a reason holds it that no approval ends. */
export const endsByItself = (commission: Hold): boolean => heldReasonsOf(commission).includes('dispute')
