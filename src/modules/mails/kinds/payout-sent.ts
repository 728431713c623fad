import type { Kind } from './kind.ts'
import { paymentExamples } from './payment-examples.ts'

export const payoutSent: Kind = {
  description: 'To an affiliate: a payout was paid.',
  to: 'affiliate',
  section: 'payouts',
  stop: 'payouts',
  examples: paymentExamples,
}
