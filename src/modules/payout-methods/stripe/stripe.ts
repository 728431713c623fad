import { defineMethod } from '../method.ts'

export const stripe = defineMethod({
  description: 'By the API of Stripe, to the bank account that the affiliate has given to Stripe. There is no file.',
  file: null,
  report: {},
  reasons: { not_onboarded: 'The affiliate has not given the payout details to the service.' },
  skipReason: ({ affiliate }) => (affiliate.stripeAccount ? null : 'not_onboarded'),
  checksName: false,
})
