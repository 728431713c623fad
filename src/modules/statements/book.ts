import type { MoneyEventKind } from '../../generated/prisma/enums.ts'
import type { CommissionTerms, LedgerCommission, LedgerFact } from './read-ledger.ts'

/** Times in milliseconds since 1970, the second one exclusive. */
export type Span = { from: number; until: number }

/** `elsewhere`: it belongs to another affiliate, whose amount is not told. Only what is `open` is owed. */
export type BookedState = { amountCents: bigint; state: 'none' | 'open' | 'void' | 'paid' | 'elsewhere' }

export const owed = ({ amountCents, state }: BookedState): bigint => (state === 'open' ? amountCents : 0n)

/** One thing that was booked about a commission: what it was before, and after. */
export type Booked = {
  what: MoneyEventKind | 'moved'
  bookedAt: number
  before: BookedState
  after: BookedState
  /** Null for a move. */
  fact: LedgerFact | null
}

/** What changes neither an amount nor what is owed. */
const silent: readonly MoneyEventKind[] = ['held', 'approved', 'rescheduled']

type Step = { bookedAt: number; fact: LedgerFact | null; terms: CommissionTerms | null }

/**
 * What was booked about a commission for an affiliate in a time. Of things of one instant, a move to another affiliate
 * comes first.
 */
export function bookedOf(commission: LedgerCommission, affiliateId: string, { from, until }: Span): Booked[] {
  let [amountCents, isVoid, isPaid, isEarned] = [0n, false, false, false]
  let owner = (commission.former[0]?.state ?? commission).affiliateId
  const now = (): BookedState => {
    if (!isEarned) return { amountCents: 0n, state: 'none' }
    if (owner !== affiliateId) return { amountCents: 0n, state: 'elsewhere' }
    return { amountCents, state: isVoid ? 'void' : isPaid ? 'paid' : 'open' }
  }
  return stepsOf(commission).flatMap(({ bookedAt, fact, terms }): Booked[] => {
    if (bookedAt >= until) return []
    const wasOwner = owner === affiliateId
    const before = now()
    if (terms) owner = terms.affiliateId
    if (fact) {
      amountCents += BigInt(fact.deltaCents)
      if (fact.kind === 'earned') isEarned = true
      if (fact.kind === 'voided') isVoid = true
      if (fact.kind === 'unvoided') isVoid = false
      if (fact.kind === 'paid') isPaid = true
      if (fact.kind === 'unpaid') isPaid = false
    }
    const isOwn = wasOwner || owner === affiliateId
    const isShown = fact ? !silent.includes(fact.kind) : wasOwner !== (owner === affiliateId)
    if (bookedAt < from || !isOwn || !isShown) return []
    return [{ what: fact?.kind ?? 'moved', bookedAt, before, after: now(), fact }]
  })
}

function stepsOf({ facts, former, ...commission }: LedgerCommission): Step[] {
  const moves = former.map(({ bookedAt }, index): Step => {
    return { bookedAt, fact: null, terms: former[index + 1]?.state ?? commission }
  })
  const recorded = facts.map((fact): Step => ({ bookedAt: fact.bookedAt, fact, terms: null }))
  return [...moves, ...recorded].sort((a, b) => a.bookedAt - b.bookedAt)
}

/** What something was at a time: before the first replacement that is booked from then on. */
export const termsAt = <T>(one: T, former: readonly { bookedAt: number; state: T }[], at: number): T =>
  former.find(({ bookedAt }) => bookedAt >= at)?.state ?? one
