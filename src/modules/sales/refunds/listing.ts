import { unfiltered } from '../../../listing/kept-counts.ts'
import { baseFields, cents, instant, one, text } from '../../../listing/listing.ts'
import { defineListing } from '../../../listing/registry.ts'

export const waitingRefundListing = defineListing({
  noun: 'WaitingRefund',
  model: 'waitingRefund',
  fields: {
    ...baseFields,
    saleExternalId: text('saleExternalId'),
    externalId: text('externalId', { nullable: true }),
    problem: text('problem', { nullable: true }),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})

export const refundListing = defineListing({
  noun: 'Refund',
  model: 'refund',
  forAffiliate: true,
  fields: {
    ...baseFields,
    externalId: text('externalId', { nullable: true }),
    amountCents: cents('amountCents'),
    reversedAt: instant('reversedAt', { nullable: true }),
    sale: one('sale', 'Sale'),
  },
  orders: {},
  numbers: {},
  kept: unfiltered('refunds'),
  groups: [],
})
