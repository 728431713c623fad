import { demandWriteAccess } from '../../graphql/access.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { mutation } from '../../graphql/mutation.ts'
import { type Backfilled, backfillFeed } from './backfill.ts'
import type { Change, Difference, DifferenceTotal } from './derive/differences.ts'
import {
  findEventsAbout,
  findFeedEvent,
  type MappingResult,
  type Rederived,
  rederiveFeed,
  testFeedMapping,
} from './events.ts'
import { FeedEventOutcomeEnum } from './graphql-enums.ts'
import { backfillFeedInput, rederiveFeedInput } from './input.ts'
import { feedEventListing } from './listing.ts'

const FeedEventType = builder.prismaObject('FeedEvent', {
  description:
    'An event as a billing system sent it, with what followed from it. Rejected requests are shown too, without their body. Events are kept for some time: by default 400 days.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    feedId: t.exposeID('feedId', { description: 'The id of the feed.' }),
    feed: t.relation('feed', { description: 'The feed.' }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the event at the billing system. Null for a rejected request.',
    }),
    type: t.exposeString('type', {
      nullable: true,
      description: 'The type of the event at the billing system: `invoice.paid`. Null for a rejected request.',
    }),
    outcome: t.expose('outcome', { type: FeedEventOutcomeEnum, description: 'What followed from the event.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why it has this outcome, or what it waits for. Null if nothing is to be said.',
    }),
    sale: t.relation('sale', {
      nullable: true,
      description: 'The sale that it became, or is about. Null if there is none.',
    }),
    raw: t.exposeString('raw', {
      nullable: true,
      description: 'The body as it was sent. Null if it was rejected, or a person in it was erased.',
    }),
    derived: t.string({
      nullable: true,
      description: 'What the service reads in the body, as JSON. Null until it is read.',
      resolve: ({ facts }) => (facts === null ? null : JSON.stringify(facts)),
    }),
    nextTryAt: t.expose('deriveAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried again without another event. Null if it is not.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it happened, as the billing system says. Null if it does not say that.',
    }),
    receivedAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was received first.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The same as `receivedAt`: lists sort by it.' }),
  }),
})

rootConnection(
  'feedEvents',
  connectionOf(feedEventListing, FeedEventType),
  'Events that feeds of the program received.',
)

builder.queryField('feedEvent', (t) =>
  t.prismaField({
    type: 'FeedEvent',
    description: 'Finds an event of a feed by the id of its record.',
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the record.' }) },
    resolve: (query, _root, { id }, ctx) => findFeedEvent(programScope(ctx), id, query),
  }),
)

builder.queryField('feedEventsAbout', (t) =>
  t.prismaField({
    type: ['FeedEvent'],
    description:
      'The events that have an id of the billing system, or mention it: an invoice, a charge, a customer. With an e-mail, those about the sales of that customer. The newest first, at most 100.',
    args: {
      externalId: t.arg.string({
        required: true,
        description: 'The id at the billing system, `in_1001`, or an e-mail.',
      }),
    },
    resolve: (query, _root, { externalId }, ctx) => findEventsAbout(programScope(ctx), [externalId.trim()], query),
  }),
)

const DifferenceType = builder.objectRef<Difference>('FeedDifference').implement({
  description: 'What an event of a feed would change.',
  subGraphs: publicOnly,
  fields: (t) => ({
    saleExternalId: t.exposeString('saleExternalId', { description: 'The id of the sale in the billing system.' }),
    what: t.exposeString('what', { description: 'The change, as an English sentence without a subject.' }),
  }),
})

const ChangeEnum = defineEnum('FeedChange', 'What an event of a feed would change.', {
  sale: 'A sale would be recorded.',
  change: 'A recorded sale would be changed: its amount, what was sold, or its affiliate.',
  refund: 'A sale would be refunded, in part or in full.',
  reversal: 'A refund would be reversed.',
  hold: 'The commission of a disputed sale would be held.',
  release: 'A held commission would be released.',
} satisfies Record<Change, string>)

const TotalType = builder.objectRef<DifferenceTotal>('FeedDifferenceTotal').implement({
  description: 'How many changes of a kind a dry run has found.',
  subGraphs: publicOnly,
  fields: (t) => ({
    change: t.expose('change', { type: ChangeEnum, description: 'What would be changed.' }),
    count: t.exposeInt('count', { description: 'How often.' }),
  }),
})

const totals = 'How many of all changes a dry run has found, also those that are not listed.'

const RederivePayload = builder.objectRef<Rederived>('RederiveFeedPayload').implement({
  description: 'The result of `rederiveFeed`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    events: t.exposeInt('events', { description: 'The number of events that were read again.' }),
    dryRun: t.exposeBoolean('dryRun', { description: 'Whether nothing was changed.' }),
    differences: t.expose('differences', {
      type: [DifferenceType],
      description: 'What a dry run would change, at most 500. Empty if it was done.',
    }),
    totals: t.expose('totals', { type: [TotalType], description: totals }),
    next: t.exposeID('next', {
      nullable: true,
      description: 'Call again with this `after`: a call ends after some seconds. Null if all events were read.',
    }),
  }),
})

mutation('rederiveFeed', RederivePayload, {
  description:
    'Reads stored events of a feed again, by its present settings, and applies what differs: missing sales, refunds and reversals. Recorded sales keep their amount and affiliate. Nothing that was paid is changed.',
  input: rederiveFeedInput,
  resolve: (ctx, input) => rederiveFeed({ ...programScope(ctx), trueNow: ctx.trueNow }, input),
})

const BackfillPayload = builder.objectRef<Backfilled>('BackfillFeedPayload').implement({
  description: 'The result of `backfillFeed`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    stored: t.exposeInt('stored', { description: 'The number of events that were stored.' }),
    known: t.exposeInt('known', { description: 'The number of events that were known already.' }),
    dryRun: t.exposeBoolean('dryRun', { description: 'Whether nothing was stored.' }),
    differences: t.expose('differences', {
      type: [DifferenceType],
      description: 'What a dry run of these events alone would change. Empty if they were stored.',
    }),
    totals: t.expose('totals', { type: [TotalType], description: totals }),
  }),
})

mutation('backfillFeed', BackfillPayload, {
  description:
    'Stores events that were read from the API of a billing system, as if it had sent them. `tributary feed backfill` calls it. What follows from them is derived in the background.',
  input: backfillFeedInput,
  resolve: (ctx, input) => backfillFeed({ ...programScope(ctx), trueNow: ctx.trueNow }, input),
})

const MappingResultType = builder.objectRef<MappingResult>('FeedMappingResult').implement({
  description: 'What a mapping makes of an event.',
  subGraphs: publicOnly,
  fields: (t) => ({
    event: t.expose('event', { type: FeedEventType, description: 'The event.' }),
    result: t.exposeString('result', {
      nullable: true,
      description: 'The value of the expression, as JSON. Null if it failed.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why the event would be ignored or fail. Null if it can be used.',
    }),
  }),
})

builder.queryField('testFeedMapping', (t) =>
  t.field({
    type: [MappingResultType],
    description:
      'What an expression of JSONata makes of the newest events of a generic feed. Nothing is stored. It needs the rights of `updateFeed`, and computing time: ten seconds a minute for a program.',
    forRole: 'manager',
    args: {
      feedId: t.arg.id({ required: true, description: 'The id of the feed.' }),
      mapping: t.arg.string({ required: true, description: 'The expression.' }),
      first: t.arg.int({ description: 'The number of events, at most 20. By default 5.' }),
    },
    resolve: (_root, { feedId, ...raw }, ctx) => {
      demandWriteAccess(ctx)
      return testFeedMapping(programScope(ctx), feedId, raw)
    },
  }),
)
