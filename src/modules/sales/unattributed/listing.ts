import { unfiltered } from '../../../listing/kept.ts'
import { baseFields, cents, currency, instant, text } from '../../../listing/listing.ts'
import { defineListing } from '../../../listing/registry.ts'

export const unattributedSaleListing = defineListing({
  noun: 'UnattributedSale',
  model: 'unattributedSale',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    externalId: text('externalId', { nullable: true }),
    email: text('email', { nullable: true }),
    coupon: text('coupon', { nullable: true }),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    occurredAt: instant('occurredAt'),
    dismissedAt: instant('dismissedAt', { nullable: true }),
  },
  orders: { updatedAt: 'updatedAt' },
  numbers: { amount: { column: 'amountCents', isMoney: true } },
  kept: unfiltered('unattributed_sales'),
  groups: ['currency', 'coupon'],
})
