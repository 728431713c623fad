import type { Campaign, Payout, Prisma } from '../../generated/prisma/client.ts'
import { payouts } from '../../resources/payouts.ts'
import { type Minimums, minimumPayoutIn, ownMinimumsOf } from '../campaigns/minimum-payouts.ts'
import type { ConventionPayoutState, PayoutState } from './input.ts'

export const payoutState = (payout: Pick<Payout, 'paidAt' | 'failedAt'>): PayoutState => payouts.states.of(payout)

/** What to select of a payout for the minimums of its campaign. */
export const withMinimum = {
  affiliate: { select: { campaign: { select: { minimumPayoutCents: true, minimumPayouts: true } } } },
} as const

/** @param campaign the campaign of the affiliate */
export function conventionPayoutState(
  payout: Pick<Payout, 'paidAt' | 'failedAt' | 'sentAt' | 'currency' | 'amountCents'>,
  campaign: Minimums,
): ConventionPayoutState {
  if (payout.failedAt) return 'failed'
  if (payout.paidAt) return 'paid'
  if (payout.sentAt) return 'processing'
  return payout.amountCents >= minimumPayoutIn(campaign, payout.currency) ? 'due' : 'pending'
}

/** Payouts in one of these states of the convention. @param minimums as `minimumsOf` returns them */
export const inConventionStates = (
  states: readonly ConventionPayoutState[],
  minimums: readonly PayoutMinimum[],
): Prisma.PayoutWhereInput => {
  const conditions = states.flatMap((state): Prisma.PayoutWhereInput[] => {
    if (state === 'paid' || state === 'failed') return [inPayoutState[state]]
    if (state === 'processing') return [{ ...inPayoutState.pending, sentAt: { not: null } }]
    return minimums.map(({ of, cents }) => ({
      ...inPayoutState.pending,
      sentAt: null,
      ...of,
      amountCents: state === 'due' ? { gte: cents } : { lt: cents },
    }))
  })
  // Prisma ignores an empty OR within an AND, but no state matches no payout.
  return conditions.length > 0 ? { OR: conditions } : { id: { in: [] } }
}

/** A minimum, and the payouts that it is for. */
export type PayoutMinimum = { of: Prisma.PayoutWhereInput; cents: bigint }

/** The minimums of the campaigns for all payouts, without duplicates. Few campaigns have one of a currency's own. */
export function minimumsOf(campaigns: readonly (Minimums & Pick<Campaign, 'id'>)[]): PayoutMinimum[] {
  const ownOf = (campaign: Minimums) => Object.entries(ownMinimumsOf(campaign))
  const special = campaigns.filter((campaign) => ownOf(campaign).length > 0)
  const others = campaigns.filter((campaign) => ownOf(campaign).length === 0)
  const rest = special.length > 0 ? { id: { notIn: special.map(({ id }) => id) } } : {}
  const common = [...new Set(others.map(({ minimumPayoutCents }) => minimumPayoutCents))].map((cents) => ({
    of: { affiliate: { campaign: { minimumPayoutCents: cents, ...rest } } },
    cents,
  }))
  const own = special.flatMap((campaign) => {
    const affiliate = { campaignId: campaign.id }
    const currencies = ownOf(campaign).map(([currency]) => currency)
    return [
      ...ownOf(campaign).map(([currency, cents]) => ({ of: { affiliate, currency }, cents: BigInt(cents) })),
      { of: { affiliate, currency: { notIn: currencies } }, cents: campaign.minimumPayoutCents },
    ]
  })
  return [...common, ...own]
}

export const inPayoutState: Record<PayoutState, Prisma.PayoutWhereInput> = {
  pending: payouts.states.where('pending'),
  paid: payouts.states.where('paid'),
  failed: payouts.states.where('failed'),
}
