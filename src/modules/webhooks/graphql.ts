import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addHistory } from '../history/graphql.ts'
import { findWebhookDelivery, type Replay, redeliver, replayEvents, sendTestEvent } from './deliveries.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  type EndpointWithSecret,
  enableWebhookEndpoint,
  findWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './endpoints.ts'
import { WebhookDeliveryType } from './graphql-deliveries.ts'
import { WebhookDisabledReasonEnum, WebhookEndpointStateEnum, WebhookFormatEnum } from './graphql-enums.ts'
import {
  createWebhookEndpointInput,
  replayEventsInput,
  rotateWebhookSecretInput,
  sendTestEventInput,
  updateWebhookEndpointInput,
} from './input.ts'
import { webhookEndpointListing } from './listing.ts'

/** Deliveries are in true time, also those of a sandbox. */
const webhookScope = (ctx: GraphQLContext): ProgramCtx => ({ ...programScope(ctx), now: ctx.trueNow })

const idOfEndpoint = { id: 'The id of the webhook endpoint.' }

const WebhookEndpointType = builder.prismaObject('WebhookEndpoint', {
  description: 'An address that events of the program are sent to.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the endpoint.' }),
    url: t.expose('url', { type: 'URL', description: 'The URL that events are sent to.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for. Null if not given.' }),
    eventTypes: t.expose('eventTypes', {
      type: ['EventType'],
      description: 'The types that are sent. Empty for all types.',
    }),
    where: t.string({
      nullable: true,
      description: 'A further condition for the events that are sent: `EventWhere` as JSON. Null if there is none.',
      resolve: ({ filter }) => (filter === null ? null : JSON.stringify(filter)),
    }),
    format: t.expose('format', { type: WebhookFormatEnum, description: 'The format of bodies and signatures.' }),
    state: t.field({
      type: WebhookEndpointStateEnum,
      description: 'Whether events are sent, and whether the endpoint accepts them.',
      resolve: ({ disabledAt, failingSince }) => (disabledAt ? 'disabled' : failingSince ? 'failing' : 'active'),
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'The first failure since the last success. Null if there is none.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was disabled. Null if it is enabled.',
    }),
    disabledReason: t.expose('disabledReason', {
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Why it is disabled. Null if it is enabled.',
    }),
    previousSecretEndsAt: t.expose('previousSecretEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the last rotation is used. Null if it was never rotated.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the endpoint was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the endpoint was last changed.' }),
  }),
})

addHistory('WebhookEndpoint')

export const webhookEndpointConnection = connectionOf(webhookEndpointListing, WebhookEndpointType)

rootConnection('webhookEndpoints', webhookEndpointConnection, "The program's webhook endpoints.")

builder.queryField('webhookEndpoint', (t) =>
  t.prismaField({
    type: 'WebhookEndpoint',
    description: 'Finds a webhook endpoint by its id.',
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: idOfEndpoint.id }) },
    resolve: (query, _root, { id }, ctx) => findWebhookEndpoint(programScope(ctx), id, query),
  }),
)

const secretPayload = (name: string, description: string) =>
  builder.objectRef<EndpointWithSecret>(name).implement({
    description,
    subGraphs: publicOnly,
    fields: (t) => ({
      webhookEndpoint: t.expose('webhookEndpoint', { type: WebhookEndpointType, description: 'The endpoint.' }),
      secret: t.exposeString('secret', {
        description: 'The secret that verifies signatures. Save it now: it cannot be read again.',
      }),
      startsAt: t.expose('startsAt', {
        type: 'DateTime',
        description:
          'From when on events are signed with the secret. In the format of the convention, a rotated secret starts when the old one ends.',
      }),
    }),
  })

mutation(
  'createWebhookEndpoint',
  secretPayload('CreateWebhookEndpointPayload', 'A new webhook endpoint and its secret.'),
  {
    description: 'Creates a webhook endpoint. It is sent the events from now on.',
    input: createWebhookEndpointInput,
    resolve: (ctx, input) => createWebhookEndpoint(webhookScope(ctx), ctx.webhooks, input),
  },
)

mutation('rotateWebhookSecret', secretPayload('RotateWebhookSecretPayload', 'A webhook endpoint and its new secret.'), {
  description: 'Gives a webhook endpoint a new secret.',
  ids: idOfEndpoint,
  input: rotateWebhookSecretInput,
  resolve: (ctx, { id, ...input }) => rotateWebhookSecret(webhookScope(ctx), ctx.webhooks, id, input),
})

resourceMutation('updateWebhookEndpoint', 'webhookEndpoint', WebhookEndpointType, {
  description: 'Changes a webhook endpoint, with effect for events from now on.',
  ids: idOfEndpoint,
  input: updateWebhookEndpointInput,
  resolve: (ctx, { id, ...input }) => updateWebhookEndpoint(webhookScope(ctx), ctx.webhooks, id, input),
})

resourceMutation('disableWebhookEndpoint', 'webhookEndpoint', WebhookEndpointType, {
  description: 'Stops sending events to a webhook endpoint. Idempotent.',
  ids: idOfEndpoint,
  resolve: async (ctx, { id }) => {
    await disableWebhookEndpoint(webhookScope(ctx), id)
    return findWebhookEndpoint(programScope(ctx), id)
  },
})

resourceMutation('enableWebhookEndpoint', 'webhookEndpoint', WebhookEndpointType, {
  description:
    'Sends events to a disabled webhook endpoint again, first those that were waiting. Events since it was disabled are sent with `replayEvents`. Idempotent.',
  ids: idOfEndpoint,
  resolve: async (ctx, { id }) => {
    await enableWebhookEndpoint(webhookScope(ctx), id)
    return findWebhookEndpoint(programScope(ctx), id)
  },
})

const DeletedEndpoint = builder.objectRef<{ id: string }>('DeleteWebhookEndpointPayload').implement({
  description: 'The result of `deleteWebhookEndpoint`.',
  subGraphs: publicOnly,
  fields: (t) => ({ deletedId: t.exposeID('id', { description: 'The id of the deleted endpoint.' }) }),
})

mutation('deleteWebhookEndpoint', DeletedEndpoint, {
  description: 'Deletes a webhook endpoint and its deliveries.',
  ids: idOfEndpoint,
  resolve: async (ctx, { id }) => ({ id: await deleteWebhookEndpoint(webhookScope(ctx), id) }),
})

resourceMutation('sendTestEvent', 'webhookDelivery', WebhookDeliveryType, {
  description: 'Sends an example of an event to a webhook endpoint. Its data is invented.',
  ids: { endpointId: idOfEndpoint.id },
  input: sendTestEventInput,
  resolve: async (ctx, { endpointId, ...input }, query) => {
    const id = await sendTestEvent(webhookScope(ctx), endpointId, input)
    return findWebhookDelivery(programScope(ctx), id, query())
  },
})

resourceMutation('redeliver', 'webhookDelivery', WebhookDeliveryType, {
  description:
    'Sends the event of a delivery again, as a new delivery with the same event id. If the delivery is pending, it is tried at once instead.',
  ids: { deliveryId: 'The id of the delivery.' },
  resolve: async (ctx, { deliveryId }, query) => {
    const id = await redeliver(webhookScope(ctx), deliveryId)
    return findWebhookDelivery(programScope(ctx), id, query())
  },
})

export const ReplayPayload = builder.objectRef<Replay>('ReplayEventsPayload').implement({
  description: 'The result of `replayEvents`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'The number of new deliveries.' }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'Whether all events were replayed. A very long replay stops after 20 seconds.',
    }),
    lastEventId: t.exposeID('lastEventId', {
      nullable: true,
      description: 'The last event that was replayed. Null if no event matches.',
    }),
  }),
})

mutation('replayEvents', ReplayPayload, {
  description: 'Sends kept events to a webhook endpoint again: all that it selects, or those that match `where`.',
  ids: { endpointId: idOfEndpoint.id },
  input: replayEventsInput,
  resolve: (ctx, { endpointId, ...input }) => replayEvents(webhookScope(ctx), endpointId, input),
})
