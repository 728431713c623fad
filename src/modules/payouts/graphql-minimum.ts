import type { Payout } from '../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { moneyBeside } from '../../graphql/money.ts'
import { type Minimums, minimumPayoutIn } from '../campaigns/minimum-payouts.ts'
import { withMinimum } from './state.ts'

const ofMissing = { ...withMinimum, currency: true, amountCents: true, paidAt: true, failedAt: true } as const

type OfMissing = Pick<Payout, 'currency' | 'amountCents' | 'paidAt' | 'failedAt'> & {
  affiliate: { campaign: Minimums }
}

function missingOf({ affiliate, currency, amountCents, paidAt, failedAt }: OfMissing): bigint {
  const missing = minimumPayoutIn(affiliate.campaign, currency) - amountCents
  return paidAt || failedAt || missing < 0n ? 0n : missing
}

builder.prismaObjectFields('Payout', (t) => ({
  minimumPayoutCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    subGraphs: publicOnly,
    description: "The minimum payout of the affiliate's campaign in this currency, in minor units of `currency`.",
    select: { ...withMinimum, currency: true },
    resolve: ({ affiliate, currency }) => minimumPayoutIn(affiliate.campaign, currency),
  }),
  minimumPayout: t.field({
    forAffiliate: true,
    ...moneyBeside('minimumPayoutCents'),
    select: { ...withMinimum, currency: true },
    resolve: ({ affiliate, currency }) => ({ amountCents: minimumPayoutIn(affiliate.campaign, currency), currency }),
  }),
  missingCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    subGraphs: publicOnly,
    description:
      'How much is missing until the minimum, in minor units of `currency`. 0 if the payout can be paid, and once it is paid or failed.',
    select: ofMissing,
    resolve: missingOf,
  }),
  missing: t.field({
    forAffiliate: true,
    ...moneyBeside('missingCents'),
    select: ofMissing,
    resolve: (payout) => ({ amountCents: missingOf(payout), currency: payout.currency }),
  }),
}))
