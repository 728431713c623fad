import type { AttributionSignal } from '../../../generated/prisma/enums.ts'
import { type ErrorReason, refused, TributaryError } from '../../../kernel/errors.ts'
import type { History } from '../../commissions/calculate.ts'
import type { DroppedField, FeedReport, TriedSignal } from '../decision.ts'
import { signals } from '../signals/all.ts'
import type { SaleFacts, Signals } from '../signals/sale-facts.ts'
import type { MatchedSignal, ReportedSale, SignalMiss } from '../signals/signal.ts'

export type Attribution = MatchedSignal & {
  signal: AttributionSignal
  /** The keys of all codes that were reported, see `couponKey`. */
  couponKeys?: string[]
  /** What the referral had earned before the sale. Absent: as the facts say, which have no later sale. */
  history?: History
  /** Whether the campaign has tiers for the whole period, so that a correction may follow. */
  hasWholePeriods?: boolean
  /** Every signal with its outcome, in the order in which they are tried. */
  signals: TriedSignal[]
  dropped: DroppedField[]
  /** Set if a feed reports the sale. */
  feed?: FeedReport | undefined
}

/** Thrown if a valid sale belongs to no affiliate. Such a sale is kept. */
export class Unattributed extends TributaryError {
  constructor(
    readonly signals: TriedSignal[],
    { code, message, problems, reasons }: TributaryError,
  ) {
    super(code, message, problems, { reasons })
  }
}

function noMatch(signals: TriedSignal[]): Unattributed {
  const missed = signals.filter(({ outcome }) => outcome !== 'not_given')
  const reasons = missed.map(({ signal, outcome }) => `${signal}_${outcome}` as ErrorReason)
  return new Unattributed(
    signals,
    refused('No active affiliate matches this sale.', ['no_matching_affiliate', ...reasons]),
  )
}

/**
 * Decides which referral a sale belongs to: by referral id, else by coupon, else by what an agent
 * said, else by e-mail. The first signal that leads
 * to an active affiliate wins. Source: the contract's decisions on attribution.
 * @throws Unattributed
 */
export function attribute(sale: ReportedSale, facts: SaleFacts): Attribution {
  const tried: TriedSignal[] = []
  let match: { signal: AttributionSignal; found: MatchedSignal } | undefined
  for (const { signal, field, isRare, match: find } of signals) {
    const isGiven = sale[field]?.length
    const absent = isGiven ? null : missing(sale, field)
    if (isRare && absent === 'not_given') continue
    const found = match ? 'not_tried' : (absent ?? find(sale, facts))
    if (typeof found !== 'string') match = { signal, found }
    tried.push({ signal, outcome: typeof found === 'string' ? found : 'matched' })
  }
  if (!match) throw noMatch(tried)
  return { signal: match.signal, ...match.found, signals: tried, dropped: sale.dropped, feed: sale.feed }
}

/** The outcome of a signal without a value: it was left out, or not given. */
const missing = ({ dropped }: ReportedSale, signal: keyof Signals): SignalMiss | 'not_given' =>
  dropped.some(({ field }) => field === signal) ? 'not_usable' : 'not_given'
