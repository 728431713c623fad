import type { FeedEventOutcome } from '../../../generated/prisma/enums.ts'
import type { Fact, Payment } from '../facts.ts'

export type Outcome = {
  outcome: FeedEventOutcome
  reason: string | null
  saleId?: string | undefined
  /** When it is tried again without another event: at a time, a few times, or for as long as it waits. */
  again?: Date | 'soon' | 'later' | undefined
  /** Whether it was not tried: it was not its turn. */
  isNoTry?: boolean
}

/** What an event is shown as if several of its facts have outcomes. The first of these that it has. */
const order: readonly FeedEventOutcome[] = ['failed', 'waiting', 'sale', 'refund', 'lead', 'ignored']

/** Collects the outcomes of events. */
export function outcomes() {
  const all = new Map<string, Outcome>()
  return {
    all,
    set(event: string, outcome: Outcome): void {
      const before = all.get(event)
      if (!before || order.indexOf(outcome.outcome) < order.indexOf(before.outcome)) all.set(event, outcome)
    },
  }
}

/** The outcome of an event about a refund, a dispute or a void invoice. */
export function outcomeOfReturn(fact: Fact, saleId: string | null, ofSale: Outcome): Outcome {
  if (saleId === null) {
    if (ofSale.outcome === 'waiting')
      return { outcome: 'waiting', reason: 'Waits for its payment, which waits too.', again: ofSale.again }
    return {
      outcome: 'ignored',
      reason: `Its payment is not counted. ${ofSale.reason ?? ''}`.trim(),
      again: ofSale.again,
    }
  }
  if (fact.kind === 'release')
    return { outcome: 'ignored', reason: 'A part was not captured. It was never paid, so it is no refund.' }
  const outcome = { outcome: 'refund', saleId } as const
  if (fact.kind === 'dispute' && fact.state === 'open')
    return { ...outcome, reason: 'The payment is disputed: the commission is held until that is decided.' }
  if (fact.kind === 'dispute' && fact.state === 'won')
    return { ...outcome, reason: 'The dispute was won: the sale counts again.' }
  if (fact.kind === 'refund' && fact.state === 'failed')
    return { ...outcome, reason: 'The refund failed: it does not count.' }
  if (fact.kind === 'void') return { ...outcome, reason: fact.why }
  return { ...outcome, reason: null }
}

/** The outcome of events that only say who a customer is. */
export function findOutcome(all: ReadonlyMap<string, Outcome>): Outcome {
  const sale = [...all.values()].find(({ saleId }) => saleId)
  return {
    outcome: 'ignored',
    reason: sale
      ? 'It says who the customer is. The payment of the customer is the sale.'
      : 'It says who the customer is. No payment of the customer is counted yet.',
  }
}

/** A payment that lies ahead of the clock of the program is tried again: the clock of a sandbox may be advanced. */
export function comesLater({ at }: Payment, now: Date): Pick<Outcome, 'outcome' | 'again'> {
  const daysAhead = (Date.parse(at) - now.getTime()) / 86_400_000
  return daysAhead > 1 && daysAhead < mostDaysAhead ? { outcome: 'waiting', again: 'later' } : { outcome: 'failed' }
}

/** A time that lies further ahead is a mistake. */
const mostDaysAhead = 90
