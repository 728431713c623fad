import { unfiltered } from '../../listing/kept.ts'
import { baseFields, id, text } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const eventListing = defineListing({
  noun: 'Event',
  model: 'event',
  fields: {
    ...baseFields,
    type: text('type', { description: 'Compares the type: `commission.paid`.' }),
    subjectId: id('subjectId'),
    affiliateId: id('affiliateId', { nullable: true }),
    campaignId: id('campaignId', { nullable: true }),
    requestId: text('requestId'),
  },
  orders: {},
  numbers: {},
  kept: unfiltered('events'),
  groups: ['type'],
})
