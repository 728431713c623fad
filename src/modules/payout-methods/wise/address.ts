import type { Address } from '../address.ts'

export const wiseAddress: Address = {
  service: 'Wise',
  paid: 'wiseEmail',
  isEmail: true,
  fields: {
    wiseEmail: {
      description: 'The payout e-mail for Wise: runs of the method `WISE` pay it.',
      input: "Payout e-mail for Wise. Wise's batch file (`wallet_b`) pays it.",
      label: 'Wise e-mail',
      ownInput: 'Payout e-mail for Wise.',
      columns: ['wise', 'walletbemail'],
    },
  },
}
