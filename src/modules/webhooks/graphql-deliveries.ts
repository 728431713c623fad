import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { readEvents } from '../event-log/service.ts'
import { bodyOf } from './body.ts'
import type { Try } from './claim.ts'
import { findWebhookDelivery } from './deliveries.ts'
import { WebhookDeliveryStateEnum } from './graphql-enums.ts'
import { webhookDeliveryListing } from './listing.ts'

const TryType = builder.objectRef<Try>('WebhookTry').implement({
  description: 'One try to deliver an event.',
  subGraphs: publicOnly,
  fields: (t) => ({
    at: t.field({ type: 'DateTime', description: 'When the try began.', resolve: ({ at }) => new Date(at) }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'The status of the response. Null without a response.',
    }),
    durationMs: t.exposeInt('ms', { description: 'How long the try took, in milliseconds.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why there was no response. Null if there was one.',
    }),
    response: t.exposeString('response', {
      nullable: true,
      description: 'The beginning of the response, at most 1 KB. Null if it was empty.',
    }),
  }),
})

export const WebhookDeliveryType = builder.prismaObject('WebhookDelivery', {
  description: 'An event that is sent to a webhook endpoint. Finished deliveries are kept for 30 days.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the delivery.' }),
    state: t.expose('state', {
      type: WebhookDeliveryStateEnum,
      description: 'Whether the endpoint accepted the event.',
    }),
    endpointId: t.exposeID('endpointId', { description: 'The id of the endpoint.' }),
    endpoint: t.relation('endpoint', { description: 'The endpoint.' }),
    eventId: t.exposeID('eventId', { description: 'The id of the event. All tries send the same id.' }),
    eventType: t.exposeString('eventType', { description: 'The type of the event.' }),
    body: t.string({
      nullable: true,
      description: 'The body as it is sent. Null if the event is no longer kept.',
      select: { endpoint: { select: { format: true } } },
      resolve: async ({ body, eventId, endpoint }, _args, ctx) => {
        if (body !== null) return body
        const event = await batched(ctx, 'sent events', eventId, async (ids) => {
          const { db, program } = programScope(ctx)
          const events = await readEvents(db, [program.id], ids)
          return ids.map((id) => events.get(id))
        })
        return event ? bodyOf(event, endpoint.format) : null
      },
    }),
    triesCount: t.exposeInt('tries', { description: 'How often it was tried.' }),
    tries: t.field({
      type: [TryType],
      description: 'The tries, the first one first.',
      resolve: ({ responses }) => responses as Try[],
    }),
    nextTryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried next. Null if it is finished.',
      resolve: ({ nextTryAt, finishedAt }) => (finishedAt ? null : nextTryAt),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the delivery was created.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was accepted, or given up. Null while it is pending.',
    }),
  }),
})

export const webhookDeliveryConnection = connectionOf(webhookDeliveryListing, WebhookDeliveryType)

rootConnection('webhookDeliveries', webhookDeliveryConnection, 'The deliveries to webhook endpoints of the program.')

builder.queryField('webhookDelivery', (t) =>
  t.prismaField({
    type: 'WebhookDelivery',
    description: 'Finds a delivery by its id.',
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the delivery.' }) },
    resolve: (query, _root, { id }, ctx) => findWebhookDelivery(programScope(ctx), id, query),
  }),
)
