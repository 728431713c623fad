import { archivable } from '../../../listing/kept.ts'
import { baseFields, id, instant, many, one, text } from '../../../listing/listing.ts'
import { defineListing } from '../../../listing/registry.ts'
import { couponKey } from './code.ts'

export const affiliateCouponListing = defineListing({
  noun: 'AffiliateCoupon',
  model: 'affiliateCoupon',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    archivedAt: instant('archivedAt', { nullable: true }),
    token: text('tokenKey', { fold: couponKey }),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    referrals: many('referrals', 'Referral'),
  },
  orders: { updatedAt: 'updatedAt', token: 'tokenKey' },
  numbers: {},
  forAffiliate: true,
  kept: archivable('affiliate_coupons'),
  groups: [],
})
