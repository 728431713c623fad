import { baseFields, counter, id, text } from '../../kernel/listing/listing.ts'
import { defineListing } from '../../kernel/listing/registry.ts'

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
