import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { findRefund } from './find.ts'
import { refundSaleInput } from './input.ts'
import { refundListing } from './listing.ts'
import { type RefundReport, refundSale } from './service.ts'

const RefundType = builder.prismaObject('Refund', {
  description: 'A sale that was given back, in whole or in part.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The refund in the billing system; unique in the program.',
    }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: "In minor units of the sale's currency.",
    }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', description: 'When it was reported.' }),
    sale: t.relation('sale', { forAffiliate: true }),
  }),
})

export const refundConnection = connectionOf(refundListing, RefundType)

rootConnection('refunds', refundConnection, "Refunds of the program's sales.")

builder.queryField('refund', (t) =>
  t.prismaField({
    type: 'Refund',
    description: 'A refund by id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findRefund(programScope(ctx), id, query),
  }),
)

const RefundSalePayload = builder.objectRef<RefundReport>('RefundSalePayload').implement({
  extensions: { restName: 'RefundReport' },
  description: 'The answer to a reported refund.',
  fields: (t) => ({
    object: objectName(t, 'refund'),
    id: t.id({ resolve: ({ refund }) => refund.id }),
    duplicate: t.exposeBoolean('duplicate', { description: 'The refund was reported before; nothing changed.' }),
    saleId: t.id({ resolve: ({ refund }) => refund.saleId }),
    amountCents: t.field({
      type: 'SafeInt',
      description: "What was given back, in minor units of the sale's currency.",
      resolve: ({ refund }) => refund.amountCents,
    }),
    refund: t.prismaField({
      type: 'Refund',
      subGraphs: publicOnly,
      resolve: (query, { refund: { programId, id } }, _args, ctx) =>
        ctx.db.refund.findUniqueOrThrow({ ...query, where: { programId_id: { programId, id } } }),
    }),
    sale: t.prismaField({
      type: 'Sale',
      subGraphs: publicOnly,
      resolve: (query, { refund: { programId, saleId } }, _args, ctx) =>
        ctx.db.sale.findUniqueOrThrow({ ...query, where: { programId_id: { programId, id: saleId } } }),
    }),
    commission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description: 'What the sale had earned, as it is now; null where it earned nothing.',
      resolve: (query, { refund: { programId, saleId } }, _args, ctx) =>
        ctx.db.commission.findFirst({ ...query, where: { programId, saleId, refundId: null } }),
    }),
    negativeCommission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description: 'Where the commission was paid before: what lowers the next payout instead.',
      resolve: (query, { refund: { programId, id } }, _args, ctx) =>
        ctx.db.commission.findFirst({ ...query, where: { programId, refundId: id } }),
    }),
  }),
})

mutation('refundSale', RefundSalePayload, {
  description:
    'Records that a sale was given back, in whole or in part, at most what remains of it. A commission that is not paid becomes what its own copy of the rule grants for what remains, or void where nothing does; for one that is paid, a negative commission lowers the next payout. A `refundExternalId` that is known changes nothing.',
  subGraphs: everywhere,
  input: refundSaleInput,
  resolve: (ctx, input) => refundSale(programScope(ctx), input),
})
