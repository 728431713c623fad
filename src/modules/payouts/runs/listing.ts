import { baseFields, cents, currency, flag, id, instant, word } from '../../../listing/listing.ts'
import { defineListing } from '../../../listing/registry.ts'

export const payoutRunListing = defineListing({
  noun: 'PayoutRun',
  model: 'payoutRun',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    state: word('state', 'PayoutRunState'),
    method: word('method', 'PayoutMethod'),
    currency: currency('currency'),
    amountCents: cents('amountCents'),
    sentAt: instant('sentAt', { nullable: true }),
    paidAt: instant('paidAt', { nullable: true }),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})

export const payoutRunItemListing = defineListing({
  noun: 'PayoutRunItem',
  model: 'payoutRunItem',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    payoutId: id('payoutId'),
    affiliateId: id('affiliateId'),
    state: word('state', 'PayoutItemState'),
    amountCents: cents('amountCents'),
    isNewRecipient: flag('isNewRecipient'),
    isByDefault: flag('isByDefault'),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: ['state'],
})
