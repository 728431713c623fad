import { baseFields, instant, text } from '../../../listing/listing.ts'
import { defineListing } from '../../../listing/registry.ts'
import { groupKey } from './names.ts'

export const affiliateGroupListing = defineListing({
  noun: 'AffiliateGroup',
  model: 'affiliateGroup',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    name: text('nameKey', { fold: groupKey }),
  },
  orders: { name: 'nameKey' },
  numbers: {},
  kept: null,
  groups: [],
})
