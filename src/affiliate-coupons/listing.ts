import { tokenKey } from '../affiliate-links/tokens.ts'
import { id, instant, type Listing, made, many, one, text } from '../listing/listing.ts'

export const affiliateCouponListing: Listing = {
  noun: 'AffiliateCoupon',
  model: 'affiliateCoupon',
  fields: {
    ...made,
    updatedAt: instant('updatedAt'),
    token: text('tokenKey', { fold: tokenKey }),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    referrals: many('referrals', 'Referral'),
  },
  orders: { updatedAt: 'updatedAt', token: 'tokenKey' },
  numbers: {},
  groups: [],
}
