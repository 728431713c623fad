import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { conversionStates } from './input.ts'
import type { CustomerSource } from './of-customer.ts'

const conversionState: Words<typeof conversionStates> = {
  visitor: 'The person visited through a link.',
  lead: 'The person gave their e-mail.',
  conversion: 'The person bought.',
}

export const ConversionStateEnum = defineEnum('ConversionState', 'The progress of a referral.', conversionState)

export const CustomerSourceEnum = defineEnum('CustomerSource', 'How the referral of a customer began.', {
  link: "By a visit through an affiliate's link.",
  coupon: "By a sale with an affiliate's coupon.",
  agent: 'By what an agent said: with a sale, or with a visit.',
  by_hand: 'By a person, who gave the sale or the customer to the affiliate, or by an import.',
} satisfies Record<CustomerSource, string>)
