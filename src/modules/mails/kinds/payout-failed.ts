import type { Kind } from './kind.ts'
import { paymentExamples } from './payment-examples.ts'

export const payoutFailed: Kind = {
  description: 'To an affiliate: a payment did not arrive.',
  to: 'affiliate',
  section: 'payout-address',
  stop: 'payouts',
  examples: paymentExamples,
}
