import type { Payout, Prisma } from '../generated/prisma/client.ts'
import type { PayoutState } from './input.ts'

/** A payout's state follows from whether it was paid. */
export const payoutState = (payout: Pick<Payout, 'paidAt'>): PayoutState => (payout.paidAt ? 'paid' : 'pending')

/** The rows that are in a state: the same rule, for the database. */
export const inPayoutState: Record<PayoutState, Prisma.PayoutWhereInput> = {
  pending: { paidAt: null },
  paid: { paidAt: { not: null } },
}
