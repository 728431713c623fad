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
  description: 'A full or partial refund of a sale.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the refund.' }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the refund in the billing system. Unique in the program. Null if the report had none.',
    }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: "The refunded amount, in minor units of the sale's currency.",
    }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the refund was reported.',
    }),
    sale: t.relation('sale', { forAffiliate: true, description: 'The refunded sale.' }),
  }),
})

export const refundConnection = connectionOf(refundListing, RefundType)

rootConnection('refunds', refundConnection, "Refunds of the program's sales.")

builder.queryField('refund', (t) =>
  t.prismaField({
    type: 'Refund',
    description: 'Finds a refund by its id.',
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the refund.' }) },
    resolve: (query, _root, { id }, ctx) => findRefund(programScope(ctx), id, query),
  }),
)

const RefundSalePayload = builder.objectRef<RefundReport>('RefundSalePayload').implement({
  extensions: { restName: 'RefundReport' },
  description: 'The result of `refundSale`.',
  fields: (t) => ({
    object: objectName(t, 'refund'),
    // In GraphQL it is `refund { id }`: caches take `id` for the identity of the object that has it.
    id: t.id({ subGraphs: ['rest'], description: 'The id of the refund.', resolve: ({ refund }) => refund.id }),
    duplicate: t.exposeBoolean('duplicate', {
      description: 'Whether the external id of the refund was reported before. If so, nothing changed.',
    }),
    hint: t.exposeString('hint', {
      nullable: true,
      description: 'How a repeated report differs from the refund that was recorded. Null if it does not differ.',
    }),
    saleId: t.id({ description: 'The id of the refunded sale.', resolve: ({ refund }) => refund.saleId }),
    amountCents: t.field({
      type: 'SafeInt',
      description: "The refunded amount, in minor units of the sale's currency.",
      resolve: ({ refund }) => refund.amountCents,
    }),
    refund: t.prismaField({
      type: 'Refund',
      subGraphs: publicOnly,
      description: 'The recorded refund.',
      resolve: (query, { refund: { programId, id } }, _args, ctx) =>
        ctx.db.refund.findUniqueOrThrow({ ...query, where: { programId_id: { programId, id } } }),
    }),
    sale: t.prismaField({
      type: 'Sale',
      subGraphs: publicOnly,
      description: 'The refunded sale.',
      resolve: (query, { refund: { programId, saleId } }, _args, ctx) =>
        ctx.db.sale.findUniqueOrThrow({ ...query, where: { programId_id: { programId, id: saleId } } }),
    }),
    commission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description: 'The commission that the sale earned, after the refund. Null if it earned no commission.',
      resolve: (query, { refund: { programId, saleId } }, _args, ctx) =>
        ctx.db.commission.findFirst({ ...query, where: { programId, saleId, refundId: null } }),
    }),
    negativeCommission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description:
        'The debt that lowers the next payout. Null if the commission was not paid before the refund, or stays the same.',
      resolve: (query, { refund: { programId, id } }, _args, ctx) =>
        ctx.db.commission.findFirst({ ...query, where: { programId, refundId: id } }),
    }),
  }),
})

mutation('refundSale', RefundSalePayload, {
  description:
    'Records a full or partial refund of a sale, at most of what remains of it. An unpaid commission is recalculated for the rest of the sale, by its own copy of the rule; after a full refund it is void. If the commission is paid, a negative commission (a debt) lowers the next payout. Idempotent by `refundExternalId`: reporting a known one changes nothing.',
  subGraphs: everywhere,
  input: refundSaleInput,
  resolve: (ctx, input) => refundSale(programScope(ctx), input),
})
