import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import { payouts } from '../../resources/payouts.ts'
import type { ConventionPayoutState, PayoutState } from './input.ts'

export const payoutState = (payout: Pick<Payout, 'paidAt' | 'failedAt'>): PayoutState => payouts.states.of(payout)

/** @param minimumCents the minimum payout of the affiliate's campaign, in minor units of the payout's currency */
export function conventionPayoutState(
  payout: Pick<Payout, 'paidAt' | 'failedAt' | 'sentAt' | 'amountCents'>,
  minimumCents: bigint,
): ConventionPayoutState {
  if (payout.failedAt) return 'failed'
  if (payout.paidAt) return 'paid'
  if (payout.sentAt) return 'processing'
  return payout.amountCents >= minimumCents ? 'due' : 'pending'
}

/** Payouts in one of these states of the convention. @param minimums of the program's campaigns, without duplicates */
export const inConventionStates = (
  states: readonly ConventionPayoutState[],
  minimums: readonly bigint[],
): Prisma.PayoutWhereInput => {
  const conditions = states.flatMap((state): Prisma.PayoutWhereInput[] => {
    if (state === 'paid' || state === 'failed') return [inPayoutState[state]]
    if (state === 'processing') return [{ ...inPayoutState.pending, sentAt: { not: null } }]
    return minimums.map((minimumPayoutCents) => ({
      ...inPayoutState.pending,
      sentAt: null,
      affiliate: { campaign: { minimumPayoutCents } },
      amountCents: state === 'due' ? { gte: minimumPayoutCents } : { lt: minimumPayoutCents },
    }))
  })
  // Prisma ignores an empty OR within an AND, but no state matches no payout.
  return conditions.length > 0 ? { OR: conditions } : { id: { in: [] } }
}

export const inPayoutState: Record<PayoutState, Prisma.PayoutWhereInput> = {
  pending: payouts.states.where('pending'),
  paid: payouts.states.where('paid'),
  failed: payouts.states.where('failed'),
}
