import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { CustomerSourceEnum } from './graphql-enums.ts'
import { endOf, referralsOfCustomers, sourceOf } from './of-customer.ts'

const referralOf = (ctx: GraphQLContext, id: string) =>
  batched(ctx, 'referrals of customers', id, (ids) => referralsOfCustomers(programScope(ctx), ids))

builder.prismaObjectFields('Customer', (t) => ({
  referral: t.prismaField({
    type: 'Referral',
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description:
      'The referral to which a sale of the customer without a referral id or coupon belongs now; else the last one that it could belong to. Null if nobody referred the customer.',
    resolve: async (query, { id }, _args, ctx) => {
      const found = await referralOf(ctx, id)
      const programId = programScope(ctx).program.id
      return found && ctx.db.referral.findUnique({ ...query, where: { programId_id: { programId, id: found.id } } })
    },
  }),
  affiliate: t.prismaField({
    type: 'Affiliate',
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description: 'The affiliate of `referral`: who referred the customer. Null if nobody did.',
    resolve: async (query, { id }, _args, ctx) => {
      const found = await referralOf(ctx, id)
      const programId = programScope(ctx).program.id
      const where = { programId_id: { programId, id: found?.affiliateId ?? '' } }
      return found && ctx.db.affiliate.findUnique({ where, ...query })
    },
  }),
  firstSeenAt: t.field({
    type: 'DateTime',
    subGraphs: publicOnly,
    select: { id: true, createdAt: true },
    description: 'When the customer was first seen: the first visit of `referral`, or when they were first reported.',
    resolve: async ({ id, createdAt }, _args, ctx) => {
      const found = await referralOf(ctx, id)
      return found && found.createdAt < createdAt ? found.createdAt : createdAt
    },
  }),
  source: t.field({
    type: CustomerSourceEnum,
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description: 'How `referral` began. Its `link`, `coupon` and `sub` say more. Null if nobody referred the customer.',
    resolve: async ({ id }, _args, ctx) => {
      const found = await referralOf(ctx, id)
      return found && sourceOf(found)
    },
  }),
  expiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    subGraphs: publicOnly,
    select: { id: true },
    description:
      'Until when sales of the customer belong to `referral`. Null if that has no end, because they have bought, and without a referral.',
    resolve: async ({ id }, _args, ctx) => {
      const found = await referralOf(ctx, id)
      return found && endOf(found)
    },
  }),
}))
