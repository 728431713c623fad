import { unfiltered } from '../../../kernel/listing/kept.ts'
import { baseFields, cents, one, text } from '../../../kernel/listing/listing.ts'
import { defineListing } from '../../../kernel/listing/registry.ts'

export const refundListing = defineListing({
  noun: 'Refund',
  model: 'refund',
  forAffiliate: true,
  fields: {
    ...baseFields,
    externalId: text('externalId', { nullable: true }),
    amountCents: cents('amountCents'),
    sale: one('sale', 'Sale'),
  },
  orders: {},
  numbers: {},
  kept: unfiltered('refunds'),
  groups: [],
})
