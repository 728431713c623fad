import { builder, everywhere, publicOnly } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { inputOf } from '../graphql/inputs.ts'
import { objectName } from '../graphql/object-name.ts'
import { listField } from '../graphql/pages.ts'
import { createAffiliateCouponInput, listAffiliateCouponsInput } from './input.ts'
import { createAffiliateCoupon, findAffiliateCoupon, listAffiliateCoupons } from './service.ts'

export const AffiliateCouponType = builder.prismaObject('AffiliateCoupon', {
  description: 'A code that a customer gives at the checkout; it needs no earlier visit.',
  fields: (t) => ({
    id: t.exposeID('id'),
    object: objectName(t, 'affiliate_coupon'),
    token: t.exposeString('token', { description: "The code; unique among the program's coupons, whatever its case." }),
    affiliateId: t.exposeID('affiliateId'),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    createdAt: t.expose('createdAt', { type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', subGraphs: publicOnly }),
  }),
})

listField(
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

builder.mutationField('createAffiliateCoupon', (t) =>
  t.prismaField({
    type: 'AffiliateCoupon',
    description: 'Gives an affiliate its coupon.',
    subGraphs: everywhere,
    args: { input: t.arg({ type: inputOf('CreateAffiliateCouponInput', createAffiliateCouponInput), required: true }) },
    resolve: async (query, _root, { input }, ctx) => {
      const { id } = await createAffiliateCoupon(programScope(ctx), input)
      return findAffiliateCoupon(programScope(ctx), id, query)
    },
  }),
)
