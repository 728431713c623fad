import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import { openItemStates } from './input.ts'

/** What a reported result does to a payment. `refusal` ends a sentence that starts with the payout. */
export type Outcome = 'unchanged' | 'noted' | 'sent' | 'paid' | 'back' | 'waits' | 'freed' | { refusal: string }

const isOpen = (state: PayoutItemState) => openItemStates.some((open) => open === state)
export const isBack = (state: PayoutItemState) => state === 'failed' || state === 'returned'

/**
 * What a result does that has no time of its own. A payment is open until its result is known. One that was paid can
 * still come back, and one that came back stays back: its money is in the next payout. What was cancelled here can
 * still be paid by the service.
 */
export function outcomeOf(from: PayoutItemState, to: PayoutItemState): Outcome {
  if (from === to) return 'unchanged'
  if (from === 'cancelled') return to === 'paid' ? 'paid' : { refusal: 'was cancelled in this run.' }
  if (isBack(from)) {
    return isBack(to)
      ? 'noted'
      : { refusal: `is ${from} already: what it paid is in the next payout of the affiliate.` }
  }
  if (to === 'prepared') return { refusal: 'cannot become prepared again. Cancel it, and make a new run.' }
  if (isBack(to)) return 'back'
  if (to === 'unclaimed') return 'waits'
  if (isOpen(from))
    return to === 'cancelled' ? 'freed' : to === 'paid' ? 'paid' : from === 'prepared' ? 'sent' : 'unchanged'
  return { refusal: 'is paid. To take back a payment that was a mistake, use undoPayout.' }
}
