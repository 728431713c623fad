import type { Address } from '../address.ts'

export const paypalAddress: Address = {
  service: 'PayPal',
  paid: 'walletAEmail',
  isEmail: true,
  fields: {
    walletAEmail: {
      description: 'The payout e-mail for PayPal: runs of the method `PAYPAL` pay it.',
      input: "Payout e-mail for PayPal. PayPal's payout file (`wallet_a`) pays it.",
      ownInput: 'Payout e-mail for PayPal.',
      columns: ['paypalemail', 'paypal'],
    },
  },
}
