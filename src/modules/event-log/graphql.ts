import { afterEvent } from '../../graphql/after-event.ts'
import { batchedOnce } from '../../graphql/batch.ts'
import { builder, everywhere, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import '../events/graphql.ts'
import { HistoryActorType } from '../history/graphql.ts'
import { listEventsInput } from './input.ts'
import { eventListing, listEvents } from './listing.ts'
import { renderObject } from './render.ts'
import { findEvent, readStates } from './service.ts'
import type { Rendered } from './state.ts'

declare global {
  namespace PothosSchemaTypes {
    interface ModuleScalars {
      EventData: { Input: never; Output: Rendered }
    }
  }
}

builder.scalarType('EventData', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description:
    'The subject of an event as a JSON object: the resource as REST shows it with the superset profile, in the words of the wider API convention.',
  serialize: (data) => data,
})

export const EventType = builder.prismaObject('Event', {
  description:
    'Something that happened in the program. Events are kept for 90 days, unless the operator set another time.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the event. Ids grow in the order in which events were recorded.' }),
    object: objectName(t, 'event'),
    type: t.expose('type', {
      type: 'EventType',
      description:
        'What happened: `commission.paid`. Types that the wider API convention lacks start with `tributary.`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    subjectId: t.exposeID('subjectId', { description: 'The id of the resource that the event is about.' }),
    version: t.expose('version', {
      type: 'SafeInt',
      description:
        'Grows with each event of the same resource. The event with the largest number has the newest state.',
    }),
    affiliateId: t.exposeID('affiliateId', {
      nullable: true,
      description: 'The id of the affiliate that the resource belongs to, or null.',
    }),
    campaignId: t.exposeID('campaignId', {
      nullable: true,
      description: 'The id of the campaign that the resource belongs to, or null.',
    }),
    requestId: t.exposeString('requestId', {
      description: 'The id of the request that caused the event; `clock` if it follows from the clock.',
    }),
    actor: t.field({
      type: HistoryActorType,
      subGraphs: publicOnly,
      description: 'The actor that caused the event.',
      resolve: ({ programId, actorKind: kind, actorId }) => ({ programId, kind, actorId }),
    }),
    data: t.field({
      type: 'EventData',
      description: 'The resource as it was when the event was committed.',
      resolve: async (event, _args, ctx) => {
        const { id } = programScope(ctx).program
        const read = (ids: readonly string[]) => readStates(ctx.db, [id], ids)
        return renderObject({ ...event, state: await batchedOnce(ctx, 'event states', event.stateId, read) })
      },
    }),
  }),
})

export const eventConnection = connectionOf(eventListing, EventType)

rootConnection(
  'events',
  eventConnection,
  'What happened in the program, newest first. Imports record events only if asked to.',
)

restList('events', EventType, listEventsInput, listEvents, 'What happened in the program, newest first.')

builder.queryField('event', (t) =>
  t.prismaField({
    type: 'Event',
    description: 'Finds an event by its id.',
    isLookUp: true,
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true, description: 'The id of the event.' }) },
    resolve: (query, _root, { id }, ctx) => findEvent(programScope(ctx), id, query),
  }),
)

builder.subscriptionField('eventRecorded', (t) =>
  t.prismaField({
    type: 'Event',
    description: 'Sent when an event was recorded. The payload is the event, with the state at that time.',
    args: {
      types: t.arg({ type: ['EventType'], description: 'Only events of these types. Default: all types.' }),
      affiliateId: t.arg.id({ description: 'Only events of the affiliate with this id. Default: all affiliates.' }),
      after: t.arg.id({ description: afterEvent }),
    },
    subscribe: (_root, { types, affiliateId, after }, ctx) =>
      ctx.events.open({ types: types ?? null, affiliateId, yields: 'event', after }),
    resolve: (query, id, _args, ctx) => findEvent(programScope(ctx), id as string, query),
  }),
)
