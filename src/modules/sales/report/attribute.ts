import type { AttributionSignal, HeldReason } from '../../../generated/prisma/enums.ts'
import { type ErrorReason, refused, TributaryError } from '../../../kernel/errors.ts'
import type { History } from '../../commissions/calculate.ts'
import type { DroppedField, FeedReport, SignalOutcome, TriedSignal } from './decision.ts'
import type { SaleAffiliate, SaleCampaign, SaleFacts, SaleReferral, Signals } from './facts.ts'
import { clockGraceMinutes } from './facts-sql.ts'

export type Attribution = {
  signal: AttributionSignal
  /** Null if the sale gets a new referral. */
  referral: SaleReferral | null
  affiliate: SaleAffiliate
  /** The campaign of the referral, or of the affiliate for a new one. */
  campaign: SaleCampaign
  /** Why a person has to approve the commission under any rules. */
  heldReason: HeldReason | null
  couponId: string | null
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

type Match = Pick<Attribution, 'referral' | 'affiliate' | 'campaign' | 'couponId' | 'heldReason'>
type Miss = Exclude<SignalOutcome, 'matched' | 'not_tried'>
type ReportedSale = Signals & { occurredAt: Date; dropped: DroppedField[]; feed?: FeedReport | undefined }

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
 * Decides which referral a sale belongs to: by referral id, else by coupon, else by e-mail. The first signal that leads
 * to an active affiliate wins. Source: the contract's decisions on attribution.
 * @throws Unattributed
 */
export function attribute(sale: ReportedSale, facts: SaleFacts): Attribution {
  const rules: [AttributionSignal, (sale: ReportedSale, facts: SaleFacts) => Match | Miss][] = [
    ['referral_id', byReferralId],
    ['coupon', byCoupon],
    ['email', byCustomer],
  ]
  const signals: TriedSignal[] = []
  let match: { signal: AttributionSignal; found: Match } | undefined
  for (const [signal, find] of rules) {
    const found = match ? 'not_tried' : find(sale, facts)
    if (typeof found !== 'string') match = { signal, found }
    signals.push({ signal, outcome: typeof found === 'string' ? found : 'matched' })
  }
  if (!match) throw noMatch(signals)
  return { signal: match.signal, ...match.found, signals, dropped: sale.dropped, feed: sale.feed }
}

/** The outcome of a signal without a value: it was left out, or not given. */
const missing = ({ dropped }: ReportedSale, signal: keyof Signals): Miss | 'not_given' =>
  dropped.some(({ field }) => field === signal) ? 'not_usable' : 'not_given'

function byReferralId(sale: ReportedSale, { named }: SaleFacts): Match | Miss {
  if (!sale.referralId) return missing(sale, 'referralId')
  if (!named) return 'not_found'
  if (named.affiliate.state !== 'active') return 'affiliate_not_active'
  // The expiry applies to the first sale only.
  if (!named.becameConversionAt && named.expiresAt <= sale.occurredAt) return 'expired'
  if (named.endedAt && named.endedAt <= sale.occurredAt) return 'expired'
  return { ...existing(named), heldReason: isLater(named, sale) ? 'visit_after_sale' : null }
}

/** A coupon needs no earlier visit: the referral of that affiliate and customer is used, or created. */
function byCoupon(sale: ReportedSale, { coupon, affiliate, campaign, ofAffiliate }: SaleFacts): Match | Miss {
  if (!sale.coupon) return missing(sale, 'coupon')
  if (!coupon || !affiliate || !campaign) return 'not_found'
  if (affiliate.state !== 'active') return 'affiliate_not_active'
  // Like a referral's window, this is decided by when the sale occurred.
  const isArchived = ({ archivedAt }: { archivedAt: Date | null }) =>
    archivedAt !== null && archivedAt <= sale.occurredAt
  if (isArchived(coupon) || isArchived(campaign)) return 'archived'
  return ofAffiliate
    ? existing(ofAffiliate)
    : { referral: null, affiliate, campaign, couponId: coupon.id, heldReason: null }
}

function byCustomer(sale: ReportedSale, { ofCustomer, hasLeads, hasActiveLeads }: SaleFacts): Match | Miss {
  if (!sale.email) return missing(sale, 'email')
  if (ofCustomer) return existing(ofCustomer)
  if (!hasLeads) return 'not_found'
  return hasActiveLeads ? 'expired' : 'affiliate_not_active'
}

const existing = (referral: SaleReferral): Match => ({
  referral,
  affiliate: referral.affiliate,
  campaign: referral.campaign,
  couponId: null,
  heldReason: null,
})

/** Whether a referral began after the sale. Without a link, it began with its first sale. */
function isLater({ linkId, becameLeadAt, createdAt }: SaleReferral, { occurredAt }: ReportedSale): boolean {
  const began = linkId === null && becameLeadAt && becameLeadAt < createdAt ? becameLeadAt : createdAt
  return began.getTime() > occurredAt.getTime() + clockGraceMinutes * 60_000
}
