import { cents, currency, id, instant, type Listing, made, many, one, state, text } from '../listing/listing.ts'
import { payoutStates } from './input.ts'
import { inPayoutState } from './state.ts'

export const payoutListing: Listing = {
  noun: 'Payout',
  model: 'payout',
  forAffiliate: true,
  fields: {
    ...made,
    updatedAt: instant('updatedAt'),
    state: state('PayoutState', payoutStates, (word) => inPayoutState[word]),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    paidAt: instant('paidAt', { nullable: true }),
    reference: text('reference', { nullable: true }),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    commissions: many('commissions', 'Commission'),
  },
  orders: { updatedAt: 'updatedAt', amount: 'amountCents' },
  numbers: { amount: { column: 'amountCents', isMoney: true } },
  groups: ['affiliateId', 'currency', 'state'],
}
