import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ConventionPayoutState, PayoutState } from './input.ts'

export const payoutState = (payout: Pick<Payout, 'paidAt'>): PayoutState => (payout.paidAt ? 'paid' : 'pending')

/** @param minimumCents the minimum payout of the affiliate's campaign, in minor units of the payout's currency */
export function conventionPayoutState(
  payout: Pick<Payout, 'paidAt' | 'amountCents'>,
  minimumCents: bigint,
): ConventionPayoutState {
  if (payout.paidAt) return 'paid'
  return payout.amountCents >= minimumCents ? 'due' : 'pending'
}

/**
 * The condition for payouts in one of these states of the convention.
 *
 * @param minimums the different minimum payouts of the program's campaigns
 */
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

/** The same rule as `payoutState`, as a condition for the database. */
export const inPayoutState: Record<PayoutState, Prisma.PayoutWhereInput> = {
  pending: { paidAt: null },
  paid: { paidAt: { not: null } },
}
