import { unfiltered } from '../../listing/kept.ts'
import { baseFields, cents, currency, id, instant, many, one, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const saleListing = defineListing({
  noun: 'Sale',
  model: 'sale',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    externalId: text('externalId', { nullable: true }),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    refundedCents: cents('refundedCents'),
    occurredAt: instant('occurredAt'),
    attributedBy: word('attributedBy', 'AttributionSignal'),
    noCommissionReason: word('noCommissionReason', 'NoCommissionReason', { nullable: true }),
    affiliateId: id('affiliateId'),
    campaignId: id('campaignId'),
    referralId: id('referralId'),
    affiliate: one('affiliate', 'Affiliate'),
    campaign: one('campaign', 'Campaign'),
    referral: one('referral', 'Referral'),
    customer: one('customer', 'Customer'),
    commissions: many('commissions', 'Commission'),
    refunds: many('refunds', 'Refund'),
  },
  orders: { updatedAt: 'updatedAt', occurredAt: 'occurredAt', amount: 'amountCents' },
  numbers: {
    amount: { column: 'amountCents', isMoney: true },
    refunded: { column: 'refundedCents', isMoney: true },
  },
  exportPath: '/v1/exports/sales',
  kept: {
    ...unfiltered('sales'),
    rollup: {
      dimensions: { affiliateId: 'affiliate_id', campaignId: 'campaign_id', currency: 'currency' },
      classes: [{ rows: {}, terms: [{ kind: 'sale', factor: 1 }] }],
    },
  },
  groups: ['affiliateId', 'campaignId', 'currency', 'attributedBy', 'noCommissionReason'],
})
