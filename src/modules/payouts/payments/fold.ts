import type { PaymentFact } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'

export type KnownFact = Pick<PaymentFact, 'kind' | 'amountCents' | 'at'>

/** What is known of a payment: its state, and how much has left and is not back, in minor units. */
export type Folded = { state: PayoutItemState; goneCents: bigint }

/**
 * What the facts of a payment amount to. They count in the order in which they happened, whenever they were recorded. A
 * fact without a time comes after all that were recorded before it. Nothing that was recorded before a cancellation
 * counts: a person said that it was not so.
 * @param askedCents the amount in the file
 * @param recorded in the order in which they were recorded
 */
export function foldPayment(askedCents: bigint, recorded: readonly KnownFact[]): Folded {
  const from = recorded.findLastIndex(({ kind }) => kind === 'cancelled')
  const start: Folded = { state: from < 0 ? 'prepared' : 'cancelled', goneCents: 0n }
  return inOrder(recorded.slice(from + 1)).reduce((known, fact) => next(known, fact, askedCents), start)
}

/** In the order in which they happened. One without a time comes after all that were recorded before it. */
export function inOrder(recorded: readonly KnownFact[]): KnownFact[] {
  let latest = Number.NEGATIVE_INFINITY
  return recorded
    .map((fact) => {
      const position = fact.at === null ? latest : fact.at.getTime()
      latest = Math.max(latest, position)
      return { fact, position }
    })
    .sort((a, b) => (a.position === b.position ? 0 : a.position - b.position))
    .map(({ fact }) => fact)
}

/** Whether the payment still waits: only money that leaves changes one that came back or was cancelled. */
const isWaiting = (state: PayoutItemState) => state === 'prepared' || state === 'sent' || state === 'unclaimed'

function next({ state, goneCents }: Folded, { kind, amountCents }: KnownFact, askedCents: bigint): Folded {
  // A payment of 0 has nothing to claim.
  const hasLeft = goneCents > 0n
  switch (kind) {
    case 'paid':
      return { state: 'paid', goneCents: amountCents ?? askedCents }
    case 'sent':
      return { state: state === 'prepared' ? 'sent' : state, goneCents }
    case 'unclaimed':
      return { state: hasLeft || isWaiting(state) ? 'unclaimed' : state, goneCents }
    case 'failed':
      return { state: state === 'cancelled' ? state : 'failed', goneCents: 0n }
    default: {
      const rest = amountCents === null || amountCents > goneCents ? 0n : goneCents - amountCents
      return { state: rest > 0n ? state : state === 'cancelled' ? state : 'returned', goneCents: rest }
    }
  }
}
