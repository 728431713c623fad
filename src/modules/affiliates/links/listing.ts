import { archivable } from '../../../listing/kept.ts'
import { baseFields, counter, id, instant, many, one, text } from '../../../listing/listing.ts'
import { defineListing } from '../../../listing/registry.ts'
import { tokenKey } from '../tokens.ts'

export const affiliateLinkListing = defineListing({
  noun: 'AffiliateLink',
  model: 'affiliateLink',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    archivedAt: instant('archivedAt', { nullable: true }),
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
  kept: archivable('affiliate_links'),
  groups: ['affiliateId'],
})
