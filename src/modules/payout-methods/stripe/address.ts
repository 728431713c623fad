import type { Address } from '../address.ts'

/**
 * An account at Stripe, and the payout method of it that is paid, such as a bank account: "acct_1/usba_2". So another
 * bank account is another address. Without it, Stripe pays the default one.
 */
export const stripeAddressOf = (account: string, payoutMethod: string | null): string =>
  payoutMethod === null ? account : `${account}/${payoutMethod}`

export function stripeParts(address: string): { account: string; payoutMethod: string | null } {
  const [account = '', payoutMethod = null] = address.split('/')
  return { account, payoutMethod }
}

export const isStripeAddress = (text: string): boolean => /^acct_\w+(\/\w+)?$/.test(text)

export const stripeAddress: Address = {
  service: 'Stripe',
  paid: 'stripeAccount',
  isEmail: false,
  isHosted: true,
  fields: {
    stripeAccount: {
      description:
        "The affiliate's id as a recipient at Stripe, `acct_…`, and after a slash the id of the payout method there, such as a bank account: runs of the method `STRIPE` pay it.",
      input:
        "The affiliate's id as a recipient at Stripe: `acct_…`, or `acct_…/…` with the id of the payout method that is paid. Affiliates get it in the portal, from Stripe's own page.",
      label: 'Stripe account',
      ownInput: "The id as a recipient at Stripe, from Stripe's own page.",
      columns: ['stripeaccount'],
    },
  },
}
