import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ConventionPayoutState, PayoutState } from './input.ts'

/** A payout's state follows from whether it was paid. */
export const payoutState = (payout: Pick<Payout, 'paidAt'>): PayoutState => (payout.paidAt ? 'paid' : 'pending')

/** @param minimumCents of the campaign that the affiliate is in, read in the payout's own currency */
export function conventionPayoutState(
  payout: Pick<Payout, 'paidAt' | 'amountCents'>,
  minimumCents: bigint,
): ConventionPayoutState {
  if (payout.paidAt) return 'paid'
  return payout.amountCents >= minimumCents ? 'due' : 'pending'
}

/** The rows that are in one of these states of the convention. @param minimums those that campaigns of the program have */
export const inConventionStates = (
  states: readonly ConventionPayoutState[],
  minimums: readonly bigint[],
): Prisma.PayoutWhereInput => ({
  OR: states.flatMap((state): Prisma.PayoutWhereInput[] => {
    if (state === 'paid') return [inPayoutState.paid]
    return minimums.map((minimumPayoutCents) => ({
      ...inPayoutState.pending,
      affiliate: { campaign: { minimumPayoutCents } },
      amountCents: state === 'due' ? { gte: minimumPayoutCents } : { lt: minimumPayoutCents },
    }))
  }),
})

/** The rows that are in a state: the same rule, for the database. */
export const inPayoutState: Record<PayoutState, Prisma.PayoutWhereInput> = {
  pending: { paidAt: null },
  paid: { paidAt: { not: null } },
}
