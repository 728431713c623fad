import { baseFields, cents, currency, id, instant, one, state, word } from '../../kernel/listing/listing.ts'
import { defineListing } from '../../kernel/listing/registry.ts'
import { commissionStates } from './input.ts'
import { inCommissionState } from './state.ts'

export const commissionListing = defineListing({
  noun: 'Commission',
  model: 'commission',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    state: state('CommissionState', commissionStates, inCommissionState),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    occurredAt: instant('occurredAt', { description: 'When the sale or refund occurred that the commission is for.' }),
    dueAt: instant('dueAt'),
    paidAt: instant('paidAt', { nullable: true }),
    voidedAt: instant('voidedAt', { nullable: true }),
    heldReason: word('heldReason', 'HeldReason', { nullable: true }),
    affiliateId: id('affiliateId'),
    campaignId: id('campaignId'),
    referralId: id('referralId'),
    saleId: id('saleId'),
    payoutId: id('payoutId', { nullable: true }),
    affiliate: one('affiliate', 'Affiliate'),
    campaign: one('campaign', 'Campaign'),
    referral: one('referral', 'Referral'),
    sale: one('sale', 'Sale'),
    payout: one('payout', 'Payout'),
    refund: one('refund', 'Refund'),
  },
  orders: { updatedAt: 'updatedAt', occurredAt: 'occurredAt', dueAt: 'dueAt', amount: 'amountCents' },
  numbers: { amount: { column: 'amountCents', isMoney: true } },
  exportPath: '/v1/exports/commissions',
  groups: ['affiliateId', 'campaignId', 'currency', 'payoutId', 'state', 'heldReason'],
})
