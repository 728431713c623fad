import { builder, publicOnly } from '../../graphql/builder.ts'

const campaignMinimum = { affiliate: { select: { campaign: { select: { minimumPayoutCents: true } } } } } as const

builder.prismaObjectFields('Payout', (t) => ({
  minimumPayoutCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    subGraphs: publicOnly,
    description: "The minimum payout of the affiliate's campaign, in minor units of `currency`.",
    select: campaignMinimum,
    resolve: ({ affiliate }) => affiliate.campaign.minimumPayoutCents,
  }),
  missingCents: t.field({
    forAffiliate: true,
    type: 'SafeInt',
    subGraphs: publicOnly,
    description:
      'How much is missing until the minimum, in minor units of `currency`. 0 if the payout can be paid, and once it is paid or failed.',
    select: { ...campaignMinimum, amountCents: true, paidAt: true, failedAt: true },
    resolve: ({ affiliate, amountCents, paidAt, failedAt }) => {
      const missing = affiliate.campaign.minimumPayoutCents - amountCents
      return paidAt || failedAt || missing < 0n ? 0n : missing
    },
  }),
}))
