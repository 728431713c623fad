import { emailKey } from '../../kernel/email.ts'
import { unfiltered } from '../../listing/kept-counts.ts'
import { baseFields, instant, many, text } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const customerListing = defineListing({
  noun: 'Customer',
  model: 'customer',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    email: text('emailKey', { fold: emailKey, searchable: true }),
    name: text('name', { nullable: true, searchable: true }),
    referrals: many('referrals', 'Referral'),
    sales: many('sales', 'Sale'),
  },
  search: ['emailKey', 'name'],
  orders: { email: 'emailKey' },
  numbers: {},
  kept: unfiltered('customers'),
  groups: [],
})
