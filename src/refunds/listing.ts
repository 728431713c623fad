import { cents, type Listing, made, one, text } from '../listing/listing.ts'

export const refundListing: Listing = {
  noun: 'Refund',
  model: 'refund',
  forAffiliate: true,
  fields: {
    ...made,
    externalId: text('externalId', { nullable: true }),
    amountCents: cents('amountCents'),
    sale: one('sale', 'Sale'),
  },
  orders: {},
  numbers: {},
  groups: [],
}
