import { unfiltered } from '../../listing/kept.ts'
import { baseFields, cents, currency, id, text } from '../../listing/listing.ts'
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
    amountCents: cents('amountCents', {
      nullable: true,
      description:
        'The amount of the sale, commission or payout that the event is about, as it was then, in minor units of its currency; or null.',
    }),
    currency: currency('currency', { nullable: true, description: 'The currency of that amount, or null.' }),
    requestId: text('requestId'),
  },
  orders: {},
  numbers: {},
  kept: unfiltered('events'),
  groups: ['type'],
})
