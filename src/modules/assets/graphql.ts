import { type Asset, Prisma } from '../../generated/prisma/client.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { costing } from '../../graphql/cost.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { defineNode } from '../../graphql/node.ts'
import { AssetKindEnum } from './graphql-enums.ts'
import { createAssetInput, updateAssetInput } from './input.ts'
import { archiveAsset, createAsset, deleteAsset, findAsset, listAssets, updateAsset } from './service.ts'
import { assetsOf, countBySub, fileUrlOf, type SharedAsset, snippetOf, subOf } from './share.ts'

const forAffiliate = true

const filesOf = ({ db, bucket, trueNow }: GraphQLContext) => ({ db, bucket, now: trueNow })

/** All assets of a list are counted in one statement. */
const countsOf = (ctx: GraphQLContext, asset: Asset, affiliateId?: string) =>
  batched(ctx, `visitors of assets ${affiliateId ?? ''}`, subOf(asset), (subs) =>
    countBySub(programScope(ctx), subs, affiliateId),
  )

const AssetType = builder.prismaObject('Asset', {
  description: 'What the program gives its affiliates to share.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate, description: 'The id of the asset.' }),
    kind: t.expose('kind', { forAffiliate, type: AssetKindEnum, description: 'What it is.' }),
    name: t.exposeString('name', { forAffiliate, description: 'What affiliates see it under.' }),
    text: t.exposeString('text', {
      forAffiliate,
      nullable: true,
      description: 'The text to share. Of an image: what it shows. Null if it has none.',
    }),
    url: t.exposeString('url', { forAffiliate, nullable: true, description: 'The address of a video. Else null.' }),
    page: t.exposeString('page', {
      forAffiliate,
      nullable: true,
      description: "The page that the affiliate's link leads to. Null for the campaign's.",
    }),
    fileUrl: t.string({
      forAffiliate,
      nullable: true,
      description: 'The address of the image, for every page. Else null.',
      resolve: (asset, _args, ctx) => fileUrlOf(ctx.affiliateUrl, asset),
    }),
    mediaType: t.exposeString('mediaType', { nullable: true, description: 'The type of the image. Else null.' }),
    width: t.exposeInt('width', { forAffiliate, nullable: true, description: 'Of the image, in pixels. Else null.' }),
    height: t.exposeInt('height', { forAffiliate, nullable: true, description: 'Of the image, in pixels. Else null.' }),
    sub: t.string({
      description: 'The sub-id by which its visitors are counted: `asset-3`.',
      resolve: (asset) => subOf(asset),
    }),
    visitors: t.int({
      description: 'The number of referrals that it brought, of all affiliates.',
      resolve: async (asset, _args, ctx) => (await countsOf(ctx, asset)).visitors,
    }),
    conversions: t.int({
      description: 'The number of these referrals that became a conversion.',
      resolve: async (asset, _args, ctx) => (await countsOf(ctx, asset)).conversions,
    }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when affiliates do not see it. Null if they do.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

defineNode(AssetType, {
  has: ({ program }, id) =>
    Prisma.sql`from assets where program_id = ${program.id}::uuid and id = ${id}::uuid and deleted_at is null`,
  find: (ctx, id) => findAsset(programScope(ctx), id),
})

builder.queryField('assets', (t) =>
  t.field({
    type: [AssetType],
    complexity: costing(500),
    description: 'What affiliates can share, the newest first.',
    args: {
      includeArchived: t.arg.boolean({ description: 'Whether archived assets are in it. Default: false.' }),
    },
    resolve: (_root, { includeArchived }, ctx) => listAssets(programScope(ctx), includeArchived ?? false),
  }),
)

const SharedAssetType = builder.objectRef<SharedAsset>('SharedAsset').implement({
  description: "An asset with an affiliate's link.",
  subGraphs: publicOnly,
  fields: (t) => ({
    asset: t.field({ forAffiliate, type: AssetType, description: 'The asset.', resolve: ({ asset }) => asset }),
    address: t.exposeString('address', {
      forAffiliate,
      nullable: true,
      description: 'The address to share: the page, with `via` and `sub`. Null if the affiliate has no link.',
    }),
    snippet: t.string({
      forAffiliate,
      nullable: true,
      description: 'What to copy: HTML for an image, else text. Null if the affiliate has no link.',
      resolve: (shared, _args, ctx) => snippetOf(ctx.affiliateUrl, shared),
    }),
    visitors: t.int({
      forAffiliate,
      description: 'The number of referrals that the affiliate got by it.',
      resolve: async ({ asset, affiliateId }, _args, ctx) => (await countsOf(ctx, asset, affiliateId)).visitors,
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'assets', (t) =>
  t.field({
    forAffiliate,
    type: [SharedAssetType],
    complexity: costing(100),
    subGraphs: publicOnly,
    description: 'What the affiliate can share, the newest first.',
    resolve: ({ id }, _args, ctx) => batched(ctx, 'assets', id, (ids) => assetsOf(programScope(ctx), ids)),
  }),
)

resourceMutation('createAsset', 'asset', AssetType, {
  description: 'Creates something that affiliates can share: an image, a text, or a video at another address.',
  input: createAssetInput,
  resolve: (ctx, input) => createAsset(programScope(ctx), filesOf(ctx), input),
})

resourceMutation('updateAsset', 'asset', AssetType, {
  description: 'Changes an asset. Its kind and its image stay.',
  ids: { id: 'The id of the asset.' },
  input: updateAssetInput,
  resolve: (ctx, { id, ...input }) => updateAsset(programScope(ctx), id, input),
})

const archiving = (name: string, isArchived: boolean, description: string) =>
  resourceMutation(name, 'asset', AssetType, {
    description,
    ids: { id: 'The id of the asset.' },
    resolve: (ctx, { id }) => archiveAsset(programScope(ctx), id, isArchived),
  })

archiving(
  'archiveAsset',
  true,
  'Archives an asset: affiliates do not see it. Pages that show its image keep it. Idempotent.',
)
archiving('unarchiveAsset', false, 'Shows an archived asset to affiliates again. Idempotent.')

resourceMutation('deleteAsset', 'asset', AssetType, {
  description:
    'Deletes an archived asset and its image. Pages that show the image show none within a minute, except in browsers that have kept it.',
  ids: { id: 'The id of the asset.' },
  resolve: (ctx, { id }) => deleteAsset(programScope(ctx), filesOf(ctx), id),
})
