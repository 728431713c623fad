import { baseFields, cents, currency, flag, id, instant, many, one, state, text } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'
import { payoutStates } from './input.ts'
import { inPayoutState } from './state.ts'

export const payoutListing = defineListing({
  noun: 'Payout',
  model: 'payout',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    state: state('PayoutState', payoutStates, (word) => inPayoutState[word]),
    payable: flag('isPayable'),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    paidAt: instant('paidAt', { nullable: true }),
    sentAt: instant('sentAt', { nullable: true }),
    failedAt: instant('failedAt', { nullable: true }),
    reference: text('reference', { nullable: true }),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    commissions: many('commissions', 'Commission'),
  },
  orders: { updatedAt: 'updatedAt', amount: 'amountCents' },
  numbers: { amount: { column: 'amountCents', isMoney: true } },
  exportPath: '/v1/exports/payouts',
  kept: {
    table: 'payouts',
    states: {
      pending: { paidAt: 'null', failedAt: 'null' },
      paid: { paidAt: 'value', failedAt: 'null' },
      failed: { paidAt: 'null', failedAt: 'value' },
    },
  },
  groups: ['affiliateId', 'currency', 'state'],
})
