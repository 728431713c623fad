import { payouts } from '../../resources/payouts.ts'
import { amountOf, csvFile } from './csv.ts'
import { defineMethod } from './method.ts'
import { nameOf } from './payee.ts'

export const generic = defineMethod({
  description: 'With a file of all fields, for another service.',
  file: csvFile({
    name: 'generic.csv',
    format: { word: 'generic', meaning: 'has all fields' },
    header: true,
    countsCommissions: true,
    columns: {
      payout_id: ({ id }) => id,
      affiliate_id: ({ affiliateId }) => affiliateId,
      name: ({ affiliate }) => nameOf(affiliate),
      email: ({ affiliate }) => affiliate.email,
      paypal_email: ({ affiliate }) => affiliate.paypalEmail ?? '',
      wise_email: ({ affiliate }) => affiliate.wiseEmail ?? '',
      currency: ({ currency }) => currency,
      amount_cents: ({ amountCents }) => String(amountCents),
      amount: amountOf,
      commissions: ({ _count }) => String(_count.commissions),
      state: (payout) => payouts.states.of(payout),
      created_at: ({ createdAt }) => createdAt.toISOString(),
      paid_at: ({ paidAt }) => paidAt?.toISOString() ?? '',
      reference: ({ reference }) => reference ?? '',
    },
  }),
  report: {},
  reasons: {},
  skipReason: () => null,
  checksName: false,
})
