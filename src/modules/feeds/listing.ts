import { baseFields, id, instant, one, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const feedListing = defineListing({
  noun: 'Feed',
  model: 'feed',
  fields: { ...baseFields, updatedAt: instant('updatedAt'), name: text('name'), kind: word('kind', 'FeedKind') },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})

export const feedEventListing = defineListing({
  noun: 'FeedEvent',
  model: 'feedEvent',
  fields: {
    ...baseFields,
    feedId: id('feedId'),
    externalId: text('externalId', { nullable: true, description: 'The id of the event at the billing system.' }),
    type: text('type', { nullable: true }),
    outcome: word('outcome', 'FeedEventOutcome'),
    sale: one('sale', 'Sale'),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: ['outcome', 'type'],
})
