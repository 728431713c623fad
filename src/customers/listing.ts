import { instant, type Listing, made, many, text } from '../listing/listing.ts'
import { emailKey } from './email.ts'

export const customerListing: Listing = {
  noun: 'Customer',
  model: 'customer',
  fields: {
    ...made,
    updatedAt: instant('updatedAt'),
    email: text('emailKey', { fold: emailKey, searchable: true }),
    name: text('name', { nullable: true, searchable: true }),
    referrals: many('referrals', 'Referral'),
    sales: many('sales', 'Sale'),
  },
  search: ['emailKey', 'name'],
  orders: { email: 'emailKey' },
  numbers: {},
  groups: [],
}
