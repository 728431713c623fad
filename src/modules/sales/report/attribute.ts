import type { AttributionSignal } from '../../../generated/prisma/enums.ts'
import { type ErrorReason, TributaryError } from '../../../kernel/errors.ts'
import type { SignalOutcome, TriedSignal } from './decision.ts'
import type { SaleAffiliate, SaleCampaign, SaleFacts, SaleReferral, Signals } from './facts.ts'

export type Attribution = {
  signal: AttributionSignal
  /** Null if the sale gets a new referral. */
  referral: SaleReferral | null
  affiliate: SaleAffiliate
  /** The campaign of the referral, or of the affiliate for a new one. */
  campaign: SaleCampaign
  /** The coupon that brings the new referral. */
  couponId: string | null
  /** Every signal with its outcome, in the order in which they are tried. */
  signals: TriedSignal[]
}

type Match = Pick<Attribution, 'referral' | 'affiliate' | 'campaign' | 'couponId'>
type Miss = Exclude<SignalOutcome, 'matched' | 'not_tried'>
type ReportedSale = Signals & { occurredAt: Date }

/** Thrown if no signal leads to an active affiliate. */
export class NoMatch extends TributaryError {
  constructor(readonly signals: TriedSignal[]) {
    // No signal matched, so that all were tried.
    const missed = signals.filter(({ outcome }) => outcome !== 'not_given')
    super('REFUSED', 'No active affiliate matches this sale.', [], {
      reasons: ['no_matching_affiliate', ...missed.map(({ signal, outcome }) => `${signal}_${outcome}` as ErrorReason)],
    })
  }
}

/**
 * Decides which referral a sale belongs to: by referral id, else by coupon, else by e-mail. The first signal that leads to
 * an active affiliate wins.
 *
 * Source: the contract's decisions on attribution.
 *
 * @throws NoMatch
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
  if (!match) throw new NoMatch(signals)
  return { signal: match.signal, ...match.found, signals }
}

function byReferralId(sale: ReportedSale, { named }: SaleFacts): Match | Miss {
  if (!sale.referralId) return 'not_given'
  if (!named) return 'not_found'
  if (named.affiliate.state !== 'active') return 'affiliate_not_active'
  // The expiry applies to the first sale only.
  return named.becameConversionAt || named.expiresAt > sale.occurredAt ? existing(named) : 'expired'
}

/** A coupon needs no earlier visit: the referral of that affiliate and customer is used, or created. */
function byCoupon(sale: ReportedSale, { coupon, affiliate, campaign, ofAffiliate }: SaleFacts): Match | Miss {
  if (!sale.coupon) return 'not_given'
  if (!coupon || !affiliate || !campaign) return 'not_found'
  if (affiliate.state !== 'active') return 'affiliate_not_active'
  // Like a referral's window, this is decided by when the sale occurred.
  const isArchived = ({ archivedAt }: { archivedAt: Date | null }) =>
    archivedAt !== null && archivedAt <= sale.occurredAt
  if (isArchived(coupon) || isArchived(campaign)) return 'archived'
  return ofAffiliate ? existing(ofAffiliate) : { referral: null, affiliate, campaign, couponId: coupon.id }
}

function byCustomer(sale: ReportedSale, { ofCustomer, hasLeads, hasActiveLeads }: SaleFacts): Match | Miss {
  if (!sale.email) return 'not_given'
  if (ofCustomer) return existing(ofCustomer)
  if (!hasLeads) return 'not_found'
  return hasActiveLeads ? 'expired' : 'affiliate_not_active'
}

const existing = (referral: SaleReferral): Match => ({
  referral,
  affiliate: referral.affiliate,
  campaign: referral.campaign,
  couponId: null,
})
