import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import { payouts } from '../../resources/payouts.ts'
import type { ConventionPayoutState, PayoutState } from './input.ts'

export const payoutState = (payout: Pick<Payout, 'paidAt'>): PayoutState => payouts.states.of(payout)

/** @param minimumCents the minimum payout of the affiliate's campaign, in minor units of the payout's currency */
export function conventionPayoutState(
  payout: Pick<Payout, 'paidAt' | 'amountCents'>,
  minimumCents: bigint,
): ConventionPayoutState {
  if (payout.paidAt) return 'paid'
  return payout.amountCents >= minimumCents ? 'due' : 'pending'
}

/** Payouts in one of these states of the convention. @param minimums of the program's campaigns, without duplicates */
export const inConventionStates = (
  states: readonly ConventionPayoutState[],
  minimums: readonly bigint[],
): Prisma.PayoutWhereInput => {
  const conditions = states.flatMap((state): Prisma.PayoutWhereInput[] => {
    if (state === 'paid') return [inPayoutState.paid]
    return minimums.map((minimumPayoutCents) => ({
      ...inPayoutState.pending,
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
}
