import { unfiltered } from '../../listing/kept.ts'
import { baseFields, id, instant, many, one, state, text } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'
import { referrals } from '../../resources/referrals.ts'
import { conversionStates } from './input.ts'

export const referralListing = defineListing({
  noun: 'Referral',
  model: 'referral',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    conversionState: state('ConversionState', conversionStates, referrals.states.where),
    becameLeadAt: instant('becameLeadAt', { nullable: true }),
    becameConversionAt: instant('becameConversionAt', { nullable: true }),
    expiresAt: instant('expiresAt'),
    billingCustomerId: text('billingCustomerId', { nullable: true }),
    sub: text('sub', { nullable: true }),
    affiliateId: id('affiliateId'),
    campaignId: id('campaignId'),
    linkId: id('linkId', { nullable: true }),
    couponId: id('couponId', { nullable: true }),
    affiliate: one('affiliate', 'Affiliate'),
    campaign: one('campaign', 'Campaign'),
    link: one('link', 'AffiliateLink'),
    coupon: one('coupon', 'AffiliateCoupon'),
    customer: one('customer', 'Customer'),
    sales: many('sales', 'Sale'),
    commissions: many('commissions', 'Commission'),
  },
  orders: { updatedAt: 'updatedAt' },
  numbers: {},
  exportPath: '/v1/exports/referrals',
  kept: {
    ...unfiltered('referrals'),
    rollup: {
      dimensions: { affiliateId: 'affiliate_id', campaignId: 'campaign_id' },
      // Every referral is counted as a visitor, and every conversion as a lead too.
      classes: [
        {
          rows: { becameLeadAt: 'null', becameConversionAt: 'null' },
          terms: [
            { kind: 'visitor', factor: 1 },
            { kind: 'lead', factor: -1 },
          ],
        },
        {
          rows: { becameLeadAt: 'value', becameConversionAt: 'null' },
          terms: [
            { kind: 'lead', factor: 1 },
            { kind: 'conversion', factor: -1 },
          ],
        },
        {
          rows: { becameLeadAt: 'value', becameConversionAt: 'value' },
          terms: [{ kind: 'conversion', factor: 1 }],
        },
      ],
    },
  },
  groups: ['affiliateId', 'campaignId', 'linkId', 'couponId', 'conversionState'],
})
