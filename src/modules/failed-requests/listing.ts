import { baseFields, counter, id, text } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const failedRequestListing = defineListing({
  noun: 'FailedRequest',
  model: 'failedRequest',
  fields: {
    ...baseFields,
    apiKeyId: id('apiKeyId'),
    path: text('path'),
    status: counter('status'),
    code: text('code'),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: ['code', 'path'],
})
