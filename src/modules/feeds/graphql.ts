import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { addHistory } from '../history/graphql.ts'
import {
  FeedBodyFormatEnum,
  FeedKindEnum,
  FeedModeEnum,
  FeedPartEnum,
  FeedProblemEnum,
  FeedSignatureAlgorithmEnum,
  FeedSignatureContentEnum,
  FeedSignatureEncodingEnum,
  FeedStateEnum,
} from './graphql-enums.ts'
import { type FeedProblem, problemsOfFeeds, problemTexts } from './health.ts'
import { createFeedInput, rotateFeedSecretInput, updateFeedInput } from './input.ts'
import { kinds } from './kinds/all.ts'
import { feedListing } from './listing.ts'
import { pauseFeed, resumeFeed } from './pause.ts'
import { createFeed, deleteFeed, type FeedWithSecret, findFeed, rotateFeedSecret, updateFeed } from './service.ts'
import { failingFeeds } from './state.ts'

/** Feeds are in true time, also those of a sandbox: signatures and secrets are. */
const feedScope = (ctx: GraphQLContext) => ({ ...programScope(ctx), now: ctx.trueNow })

const idOfFeed = { id: 'The id of the feed.' }

const FeedProblemType = builder.objectRef<FeedProblem>('FeedProblem').implement({
  description: 'Something that is wrong with a feed, by its last events.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.field({ type: FeedProblemEnum, description: 'What it is.', resolve: (kind) => kind }),
    message: t.string({ description: 'What it is, and what to do.', resolve: (kind) => problemTexts[kind] }),
  }),
})

export const FeedType = builder.prismaObject('Feed', {
  description: 'A billing system that sends its events here. Sales, refunds and leads are derived from them.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the feed.' }),
    kind: t.expose('kind', { type: FeedKindEnum, description: 'The billing system.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    url: t.field({
      type: 'URL',
      description: 'The address to enter at the billing system. It takes events by POST.',
      resolve: ({ id }, _args, ctx) => `${ctx.publicUrl}/feeds/${id}`,
    }),
    state: t.field({
      type: FeedStateEnum,
      description: 'Whether events are accepted.',
      resolve: async ({ id, secret, programId, pausedAt }, _args, ctx) => {
        if (secret === null) return 'no_secret'
        if (pausedAt !== null) return 'paused'
        const isFailing = await batched(ctx, 'failing feeds', id, (ids) => failingFeeds(ctx.db, programId, ids))
        return isFailing ? 'failing' : 'active'
      },
    }),
    problems: t.field({
      type: [FeedProblemType],
      description: 'What is wrong with the feed, by its last events. Empty if all is well.',
      resolve: ({ id, programId }, _args, ctx) =>
        batched(ctx, 'problems of feeds', id, (ids) => problemsOfFeeds(ctx.db, programId, ids, ctx.trueNow())),
    }),
    mode: t.expose('mode', {
      type: FeedModeEnum,
      nullable: true,
      description: 'Which events are accepted. Null until the first event says it.',
    }),
    includes: t.field({
      type: [FeedPartEnum],
      description: 'What the amounts of sales include beside the net amount.',
      resolve: ({ includes }) => includes as ('tax' | 'shipping' | 'discount')[],
    }),
    mapping: t.exposeString('mapping', {
      nullable: true,
      description: 'The JSONata expression of a generic feed. Null if events are sent in the form that it would make.',
    }),
    signatureHeader: t.exposeString('signatureHeader', {
      nullable: true,
      description:
        'The header in which a generic feed expects the signature. Null for Standard Webhooks, `X-Signature`, `X-Hub-Signature-256` or a bearer token.',
    }),
    signatureEncoding: t.expose('signatureEncoding', {
      type: FeedSignatureEncodingEnum,
      description: 'How the digest in `signatureHeader` is written.',
    }),
    signaturePrefix: t.exposeString('signaturePrefix', {
      nullable: true,
      description: 'What stands before the digest in `signatureHeader`. Null if nothing does.',
    }),
    signatureAlgorithm: t.expose('signatureAlgorithm', {
      type: FeedSignatureAlgorithmEnum,
      description: 'The hash of the HMAC in `signatureHeader`.',
    }),
    signatureContent: t.expose('signatureContent', {
      type: FeedSignatureContentEnum,
      description: 'What the digest in `signatureHeader` is of.',
    }),
    bodyFormat: t.expose('bodyFormat', { type: FeedBodyFormatEnum, description: 'What the bodies of requests are.' }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when events are stored, and nothing is derived from them. Null if the feed is not paused.',
    }),
    eventTypes: t.stringList({
      description: 'The types of events to choose at the billing system. Empty if all are sent, or it has no types.',
      resolve: ({ kind }) => [...kinds[kind].eventTypes],
    }),
    previousSecretEndsAt: t.expose('previousSecretEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the last rotation is accepted. Null if none is.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the feed was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the feed was last changed.' }),
  }),
})

addHistory('Feed')

rootConnection('feeds', connectionOf(feedListing, FeedType), "The program's feeds.")

builder.queryField('feed', (t) =>
  t.prismaField({
    type: 'Feed',
    description: 'Finds a feed by its id.',
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: idOfFeed.id }) },
    resolve: (query, _root, { id }, ctx) => findFeed(programScope(ctx), id, query),
  }),
)

const secretPayload = (name: string, description: string) =>
  builder.objectRef<FeedWithSecret>(name).implement({
    description,
    subGraphs: publicOnly,
    fields: (t) => ({
      feed: t.expose('feed', { type: FeedType, description: 'The feed.' }),
      secret: t.exposeString('secret', {
        nullable: true,
        description: 'The secret, if it was made here. Save it now: it cannot be read again. Null if it was given.',
      }),
    }),
  })

mutation('createFeed', secretPayload('CreateFeedPayload', 'A new feed.'), {
  description: 'Creates a feed. Enter its address at the billing system.',
  input: createFeedInput,
  resolve: (ctx, input) => createFeed(feedScope(ctx), ctx.webhooks, input),
})

mutation('rotateFeedSecret', secretPayload('RotateFeedSecretPayload', 'A feed with a new secret.'), {
  description: 'Gives a feed a new secret. Requests with the old one are accepted for some hours more.',
  ids: idOfFeed,
  input: rotateFeedSecretInput,
  resolve: (ctx, { id, ...input }) => rotateFeedSecret(feedScope(ctx), ctx.webhooks, id, input),
})

resourceMutation('updateFeed', 'feed', FeedType, {
  description: 'Changes a feed, with effect for events from now on. `rederiveFeed` applies a change to earlier events.',
  ids: idOfFeed,
  input: updateFeedInput,
  resolve: (ctx, { id, ...input }) => updateFeed(feedScope(ctx), ctx.webhooks, id, input),
})

resourceMutation('pauseFeed', 'feed', FeedType, {
  description:
    'Pauses a feed. Its events are accepted and stored, and nothing is derived from them until `resumeFeed`. For a mapping that is wrong or takes too long.',
  ids: idOfFeed,
  resolve: (ctx, { id }) => pauseFeed(feedScope(ctx), id),
})

resourceMutation('resumeFeed', 'feed', FeedType, {
  description: 'Derives from the events of a paused feed again, also from those that came meanwhile.',
  ids: idOfFeed,
  resolve: (ctx, { id }) => resumeFeed(feedScope(ctx), id),
})

const DeletedFeed = builder.objectRef<{ id: string }>('DeleteFeedPayload').implement({
  description: 'The result of `deleteFeed`.',
  subGraphs: publicOnly,
  fields: (t) => ({ deletedId: t.exposeID('id', { description: 'The id of the deleted feed.' }) }),
})

mutation('deleteFeed', DeletedFeed, {
  description: 'Deletes a feed and its stored events. Sales, refunds and leads that were derived from them stay.',
  ids: idOfFeed,
  resolve: async (ctx, { id }) => ({ id: await deleteFeed(feedScope(ctx), id) }),
})
