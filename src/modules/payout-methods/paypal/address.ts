import type { Address } from '../address.ts'

export const paypalAddress: Address = {
  service: 'PayPal',
  paid: 'paypalEmail',
  isEmail: true,
  fields: {
    paypalEmail: {
      description: 'The payout e-mail for PayPal: runs of the method `PAYPAL` pay it.',
      input: "Payout e-mail for PayPal. PayPal's payout file (`wallet_a`) pays it.",
      label: 'PayPal e-mail',
      ownInput: 'Payout e-mail for PayPal.',
      columns: ['paypal', 'walletaemail'],
    },
  },
}
