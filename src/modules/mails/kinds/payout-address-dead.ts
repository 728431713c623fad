import type { Kind } from './kind.ts'
import { addressExample, paymentExamples } from './payment-examples.ts'

export const payoutAddressDead: Kind = {
  description:
    'To an affiliate, instead of `PAYOUT_FAILED`: three payments to the address have failed. Payouts wait for another address.',
  to: 'affiliate',
  section: 'payout-address',
  stop: 'payouts',
  examples: (example) => ({ ...paymentExamples(example), address: addressExample }),
}
