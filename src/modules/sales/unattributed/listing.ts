import { unfiltered } from '../../../listing/kept-counts.ts'
import { baseFields, cents, currency, flag, instant, text } from '../../../listing/listing.ts'
import { defineListing } from '../../../listing/registry.ts'

export const unattributedSaleListing = defineListing({
  noun: 'UnattributedSale',
  model: 'unattributedSale',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    externalId: text('externalId', { nullable: true, searchable: true }),
    email: text('email', { nullable: true, searchable: true }),
    customerName: text('customerName', { nullable: true, searchable: true }),
    billingCustomerId: text('billingCustomerId', { nullable: true, searchable: true }),
    coupon: text('coupon', { nullable: true }),
    amountCents: cents('amountCents'),
    currency: currency('currency'),
    occurredAt: instant('occurredAt'),
    needsAttention: flag('needsAttention', {
      description: 'Whether a report or a signal says that an affiliate brought it.',
    }),
    dismissedAt: instant('dismissedAt', { nullable: true }),
  },
  search: ['externalId', 'email', 'customerName', 'billingCustomerId'],
  orders: { updatedAt: 'updatedAt' },
  numbers: { amount: { column: 'amountCents', isMoney: true } },
  kept: unfiltered('unattributed_sales'),
  groups: ['currency', 'coupon'],
})
