import type { AffiliateCoupon } from '../../../generated/prisma/client.ts'
import { archiveMutations } from '../../../graphql/archive.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { fromColumns } from '../../../graphql/from-columns.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import { lookUp } from '../../../graphql/look-up-field.ts'
import { moneyBeside, moneyOf } from '../../../graphql/money.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { restList } from '../../../graphql/pages.ts'
import { archiveAffiliateCoupon, deleteAffiliateCoupon, updateAffiliateCoupon } from './change.ts'
import { type Discount, discountOf } from './discount.ts'
import {
  couponDiscountInput,
  createAffiliateCouponInput,
  createAffiliateCouponsInput,
  listAffiliateCouponsInput,
  updateAffiliateCouponInput,
} from './input.ts'
import { affiliateCouponListing, listAffiliateCoupons } from './listing.ts'
import { createAffiliateCoupon, createAffiliateCoupons, findAffiliateCoupon, findAffiliateCoupons } from './service.ts'

const DiscountType = builder.objectRef<Discount>('CouponDiscount').implement({
  description: 'What a customer saves with a coupon: a percentage or an amount.',
  subGraphs: publicOnly,
  fields: (t) => ({
    percent: t.float({
      nullable: true,
      forAffiliate: true,
      description: 'The percentage. Null for an amount.',
      resolve: ({ basisPoints }) => (basisPoints === null ? null : basisPoints / 100),
    }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      nullable: true,
      forAffiliate: true,
      description: 'The amount, in minor units of `currency`. Null for a percentage.',
    }),
    amount: t.field({
      forAffiliate: true,
      ...moneyBeside('amountCents'),
      nullable: true,
      resolve: ({ amountCents, currency }) => moneyOf(amountCents, currency ?? ''),
    }),
    currency: t.expose('currency', {
      type: 'Currency',
      nullable: true,
      forAffiliate: true,
      description: 'The currency of the amount, a lower-case ISO 4217 code. Null for a percentage.',
    }),
  }),
})

inputOf('CouponDiscountInput', couponDiscountInput)

export const AffiliateCouponType = builder.prismaObject('AffiliateCoupon', {
  description: 'A code that customers enter at checkout. A sale with the code needs no earlier visit.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the coupon, a UUID.' }),
    object: objectName(t, 'affiliate_coupon'),
    token: t.exposeString('token', {
      forAffiliate: true,
      description: "The coupon code. Unique among the program's coupons, compared without regard to case.",
    }),
    affiliateId: t.exposeID('affiliateId', {
      forAffiliate: true,
      description: 'The id of the affiliate that the coupon belongs to.',
    }),
    affiliate: t.relation('affiliate', {
      subGraphs: publicOnly,
      description: 'The affiliate that the coupon belongs to.',
    }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the coupon was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the coupon was last changed.',
    }),
    archivedAt: t.expose('archivedAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description: 'When the coupon was archived. Null if it is not archived.',
    }),
    archived: t.boolean({
      subGraphs: supersetOnly,
      description: 'Whether the coupon is archived.',
      ...fromColumns<AffiliateCoupon>()(['archivedAt'], ({ archivedAt }) => archivedAt !== null),
    }),
    discount: t.field({
      type: DiscountType,
      nullable: true,
      forAffiliate: true,
      subGraphs: publicOnly,
      description: 'What the customer saves with the code. Null if it is not known here.',
      resolve: (coupon) => discountOf(coupon),
    }),
    leads: t.exposeInt('leads', {
      subGraphs: supersetOnly,
      description:
        'The number of referrals created by the coupon that became a lead. Includes all of them, because such a referral starts with a sale.',
    }),
    conversions: t.exposeInt('conversions', {
      subGraphs: supersetOnly,
      description: 'The number of referrals created by the coupon that became a conversion.',
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

lookUp(
  'affiliateCoupon',
  AffiliateCouponType,
  { description: 'Finds an affiliate coupon by id.', id: 'The id of the coupon.', subGraphs: everywhere },
  findAffiliateCoupon,
)

resourceMutation('createAffiliateCoupon', 'affiliateCoupon', AffiliateCouponType, {
  description: 'Adds a coupon to an affiliate, who can have several.',
  subGraphs: everywhere,
  input: createAffiliateCouponInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createAffiliateCoupon(programScope(ctx), input)
    return findAffiliateCoupon(programScope(ctx), id, query())
  },
})

resourceMutation('createAffiliateCoupons', 'affiliateCoupons', [AffiliateCouponType], {
  description: 'Adds coupons to affiliates. Creates all or none, and reports every problem of every entry.',
  input: createAffiliateCouponsInput,
  resolve: async (ctx, input, query) => {
    const created = await createAffiliateCoupons(programScope(ctx), input)
    const ids = created.map(({ id }) => id)
    return findAffiliateCoupons(programScope(ctx), ids, query())
  },
})

resourceMutation('updateAffiliateCoupon', 'affiliateCoupon', AffiliateCouponType, {
  description: 'Changes the discount of a coupon.',
  ids: { id: 'The id of the coupon.' },
  input: updateAffiliateCouponInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateAffiliateCoupon(programScope(ctx), id, input)
    return findAffiliateCoupon(programScope(ctx), id, query())
  },
})

archiveMutations('affiliateCoupon', AffiliateCouponType, {
  effect: 'Sales that occur later are not attributed by its code. The code stays reserved.',
  references: 'referral or imported record',
  archive: archiveAffiliateCoupon,
  find: findAffiliateCoupon,
  remove: deleteAffiliateCoupon,
})
