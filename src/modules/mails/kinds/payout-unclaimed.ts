import type { Kind } from './kind.ts'
import { paymentExamples, serviceExample } from './payment-examples.ts'

export const payoutUnclaimed: Kind = {
  description: 'To an affiliate: a payment waits at its service, where it has to be claimed.',
  to: 'affiliate',
  section: 'payouts',
  stop: 'payouts',
  examples: (example) => ({ ...paymentExamples(example), service: serviceExample }),
}
