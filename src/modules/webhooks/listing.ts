import { baseFields, counter, id, instant, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

export const webhookEndpointListing = defineListing({
  noun: 'WebhookEndpoint',
  model: 'webhookEndpoint',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    url: text('url'),
    format: word('format', 'WebhookFormat'),
    disabledAt: instant('disabledAt', { nullable: true }),
    failingSince: instant('failingSince', { nullable: true }),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})

export const webhookDeliveryListing = defineListing({
  noun: 'WebhookDelivery',
  model: 'webhookDelivery',
  fields: {
    ...baseFields,
    endpointId: id('endpointId'),
    eventId: id('eventId'),
    eventType: text('eventType'),
    state: word('state', 'WebhookDeliveryState'),
    tries: counter('tries'),
    finishedAt: instant('finishedAt', { nullable: true }),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: ['state', 'eventType'],
})
