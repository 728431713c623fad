import { emailKey } from '../../kernel/email.ts'
import { baseFields, counter, flag, id, instant, many, one, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'
import { affiliateStates } from './input.ts'

export const affiliateListing = defineListing({
  noun: 'Affiliate',
  model: 'affiliate',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    email: text('emailKey', { fold: emailKey, searchable: true }),
    firstName: text('firstName', { nullable: true, searchable: true }),
    lastName: text('lastName', { nullable: true, searchable: true }),
    state: word('state', 'AffiliateState'),
    billingCustomerId: text('billingCustomerId', { nullable: true }),
    walletAEmail: text('walletAEmail', { nullable: true }),
    walletBEmail: text('walletBEmail', { nullable: true }),
    confirmedAt: instant('confirmedAt', { nullable: true }),
    receiveNewCommissionNotifications: flag('receiveNewCommissionNotifications'),
    visitors: counter('visitors'),
    leads: counter('leads'),
    conversions: counter('conversions'),
    campaignId: id('campaignId'),
    campaign: one('campaign', 'Campaign'),
    coupon: one('coupon', 'AffiliateCoupon'),
    links: many('links', 'AffiliateLink'),
    referrals: many('referrals', 'Referral'),
    sales: many('sales', 'Sale'),
    commissions: many('commissions', 'Commission'),
    payouts: many('payouts', 'Payout'),
  },
  search: ['emailKey', 'firstName', 'lastName'],
  orders: { updatedAt: 'updatedAt', email: 'emailKey' },
  numbers: {
    visitors: { column: 'visitors' },
    leads: { column: 'leads' },
    conversions: { column: 'conversions' },
  },
  exportPath: '/v1/exports/affiliates',
  kept: {
    table: 'affiliates',
    states: Object.fromEntries(affiliateStates.map((value) => [value, { state: { value } }])),
  },
  groups: ['campaignId', 'state'],
})
