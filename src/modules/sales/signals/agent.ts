import { existing, type Signal } from './signal.ts'

/** What the checkout of an agent says about who sent the customer. A statement of its own looks for it: few do. */
export const agent: Signal = {
  signal: 'agent',
  field: 'affiliateAttribution',
  isRare: true,
  lookups: {},
  lookupFor: () => null,
  match({ occurredAt }, { agent: named }) {
    if (!named?.affiliate || !named.campaign) return 'not_found'
    const { affiliate, campaign, ofAffiliate } = named
    if (affiliate.state !== 'active') return 'affiliate_not_active'
    const hasEnded = (at: Date | null) => at !== null && at <= occurredAt
    if (hasEnded(named.expiresAt)) return 'expired'
    if (hasEnded(named.archivedAt) || hasEnded(campaign.archivedAt)) return 'archived'
    return ofAffiliate
      ? existing(ofAffiliate)
      : { referral: null, affiliate, campaign, couponId: null, heldReason: null }
  },
}
