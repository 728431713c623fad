import type { Payout, Prisma } from '../generated/prisma/client.ts'
import type { PayoutState } from './input.ts'

/** A payout's state follows from whether it was paid. */
export const payoutState = (payout: Pick<Payout, 'paidAt'>): PayoutState => (payout.paidAt ? 'paid' : 'pending')

/** The convention tells what can be paid from what still has to grow. */
export const conventionPayoutStates = ['pending', 'due', 'paid'] as const
export type ConventionPayoutState = (typeof conventionPayoutStates)[number]

/** @param minimumCents of the campaign that the affiliate is in, read in the payout's own currency */
export function conventionPayoutState(
  payout: Pick<Payout, 'paidAt' | 'amountCents'>,
  minimumCents: bigint,
): ConventionPayoutState {
  if (payout.paidAt) return 'paid'
  return payout.amountCents >= minimumCents ? 'due' : 'pending'
}

/** The rows that are in a state: the same rule, for the database. */
export const inPayoutState: Record<PayoutState, Prisma.PayoutWhereInput> = {
  pending: { paidAt: null },
  paid: { paidAt: { not: null } },
}
