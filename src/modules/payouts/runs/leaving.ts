import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import { paidCents } from '../../payout-methods/all.ts'
import { type Split, splitOf, withheldWith } from '../withholding.ts'
import type { RunPayout } from './pages.ts'

/** What a method pays of a payout, and what is withheld with it. The rest is in the next payout. */
export function leavingOf(payout: RunPayout, method: PayoutMethod): Split {
  const split = splitOf(payout.amountCents, payout.effectiveBasisPoints)
  const amountCents = paidCents({ ...payout, amountCents: split.amountCents }, method)
  return { amountCents, withheldCents: withheldWith(split, amountCents) }
}

/** As the file has them. */
export const inFile = (payouts: readonly RunPayout[], method: PayoutMethod): RunPayout[] =>
  payouts.map((payout) => ({ ...payout, amountCents: leavingOf(payout, method).amountCents }))
