import { builder, publicOnly } from '../../graphql/builder.ts'
import { minimumPayoutIn } from '../campaigns/minimum-payouts.ts'
import { withMinimum } from './state.ts'

builder.prismaObjectFields('Payout', (t) => ({
  minimumPayoutCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    subGraphs: publicOnly,
    description: "The minimum payout of the affiliate's campaign in this currency, in minor units of `currency`.",
    select: { ...withMinimum, currency: true },
    resolve: ({ affiliate, currency }) => minimumPayoutIn(affiliate.campaign, currency),
  }),
  missingCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    subGraphs: publicOnly,
    description:
      'How much is missing until the minimum, in minor units of `currency`. 0 if the payout can be paid, and once it is paid or failed.',
    select: { ...withMinimum, currency: true, amountCents: true, paidAt: true, failedAt: true },
    resolve: ({ affiliate, currency, amountCents, paidAt, failedAt }) => {
      const missing = minimumPayoutIn(affiliate.campaign, currency) - amountCents
      return paidAt || failedAt || missing < 0n ? 0n : missing
    },
  }),
}))
