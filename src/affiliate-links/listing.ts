import { counter, id, instant, type Listing, made, many, one, text } from '../listing/listing.ts'
import { tokenKey } from './tokens.ts'

export const affiliateLinkListing: Listing = {
  noun: 'AffiliateLink',
  model: 'affiliateLink',
  forAffiliate: true,
  fields: {
    ...made,
    updatedAt: instant('updatedAt'),
    token: text('tokenKey', { fold: tokenKey }),
    visitors: counter('visitors'),
    leads: counter('leads'),
    conversions: counter('conversions'),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    referrals: many('referrals', 'Referral'),
  },
  orders: { updatedAt: 'updatedAt', token: 'tokenKey' },
  numbers: {
    visitors: { column: 'visitors' },
    leads: { column: 'leads' },
    conversions: { column: 'conversions' },
  },
  groups: ['affiliateId'],
}
