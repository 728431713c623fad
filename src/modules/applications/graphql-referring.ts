import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { recordOf } from '../../graphql/record.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import { invitationUrlsOf, referrersOf } from './referring.ts'

const referrerOf = (ctx: GraphQLContext, id: string) =>
  batched(ctx, 'referrers', id, (ids) => referrersOf(programScope(ctx), ids))

builder.prismaObjectFields('Affiliate', (t) => ({
  invitationUrl: t.field({
    forAffiliate: true,
    type: 'URL',
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description:
      "The page where people apply, with the affiliate's token: applications from there have `referredById`. Null without a link, and while the program takes no applications.",
    resolve: ({ id }, _args, ctx) =>
      batched(ctx, 'invitation urls', id, (ids) => invitationUrlsOf(programScope(ctx), ctx.affiliateUrl, ids)),
  }),
  referredById: t.field({
    type: 'ID',
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description: 'The affiliate who invited this one, by their `invitationUrl`. Null if nobody did.',
    resolve: ({ id }, _args, ctx) => referrerOf(ctx, id),
  }),
  referredBy: t.field({
    type: AffiliateType,
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description: 'The affiliate who invited this one. Null if nobody did.',
    resolve: async ({ id }, _args, ctx) => recordOf(ctx, 'affiliate', await referrerOf(ctx, id)),
  }),
}))
