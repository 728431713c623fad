import { batched } from '../../../graphql/batch.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { restList } from '../../../graphql/pages.ts'
import { countByCoupon } from './counts.ts'
import { createAffiliateCouponInput, createAffiliateCouponsInput, listAffiliateCouponsInput } from './input.ts'
import { affiliateCouponListing } from './listing.ts'
import {
  createAffiliateCoupon,
  createAffiliateCoupons,
  findAffiliateCoupon,
  findAffiliateCoupons,
  listAffiliateCoupons,
} from './service.ts'

const countsOf = ({ id }: { id: string }, ctx: GraphQLContext) =>
  batched(ctx, 'coupon counts', id, (ids) => countByCoupon(programScope(ctx), ids))

export const AffiliateCouponType = builder.prismaObject('AffiliateCoupon', {
  description: 'A code that a customer gives at the checkout; it needs no earlier visit.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'affiliate_coupon'),
    token: t.exposeString('token', {
      forAffiliate: true,
      description: "The code; unique among the program's coupons, whatever its case.",
    }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate: true }),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    leads: t.int({
      subGraphs: supersetOnly,
      description: 'Referrals that its use made, and that became a lead: all of them, as they begin with a sale.',
      resolve: async (coupon, _args, ctx) => (await countsOf(coupon, ctx)).leads,
    }),
    conversions: t.int({
      subGraphs: supersetOnly,
      description: 'Of these, how many became a conversion.',
      resolve: async (coupon, _args, ctx) => (await countsOf(coupon, ctx)).conversions,
    }),
  }),
})

export const affiliateCouponConnection = connectionOf(affiliateCouponListing, AffiliateCouponType)

rootConnection('affiliateCoupons', affiliateCouponConnection, "The program's affiliate coupons.")

restList(
  'affiliateCoupons',
  AffiliateCouponType,
  listAffiliateCouponsInput,
  listAffiliateCoupons,
  "The program's affiliate coupons, newest first.",
)

builder.queryField('affiliateCoupon', (t) =>
  t.prismaField({
    type: 'AffiliateCoupon',
    description: 'An affiliate coupon by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findAffiliateCoupon(programScope(ctx), id, query),
  }),
)

resourceMutation('createAffiliateCoupon', 'affiliateCoupon', AffiliateCouponType, {
  description: 'Gives an affiliate its coupon.',
  subGraphs: everywhere,
  input: createAffiliateCouponInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createAffiliateCoupon(programScope(ctx), input)
    return findAffiliateCoupon(programScope(ctx), id, query())
  },
})

resourceMutation('createAffiliateCoupons', 'affiliateCoupons', [AffiliateCouponType], {
  description: 'Gives affiliates their coupons, all or none; every problem of every one is told.',
  input: createAffiliateCouponsInput,
  resolve: async (ctx, input, query) => {
    const made = await createAffiliateCoupons(programScope(ctx), input)
    const ids = made.map(({ id }) => id)
    return findAffiliateCoupons(programScope(ctx), ids, query())
  },
})
