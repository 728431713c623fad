import type { Refund } from '../../../generated/prisma/client.ts'
import { builder, everywhere, publicOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { programScope } from '../../../graphql/context.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { refundedItems } from '../../commissions/lines.ts'
import { RefundItemType } from '../items/graphql.ts'
import { findRefund } from './find.ts'
import { refundSaleInput, reverseRefundInput } from './input.ts'
import { refundListing, waitingRefundListing } from './listing.ts'
import type { RefundReport } from './record.ts'
import { reverseRefund } from './reverse.ts'
import { refundSale } from './service.ts'
import { notExpired } from './waiting.ts'

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
    items: t.field({
      forAffiliate: true,
      type: [RefundItemType],
      description: 'The products that were given back. Empty if the report named none.',
      resolve: refundedItems,
    }),
    occurredAt: t.field({
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the refund was made. If the report did not say: when it was reported.',
      resolve: ({ occurredAt, createdAt }) => occurredAt ?? createdAt,
    }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the refund was reported.',
    }),
    reversedAt: t.expose('reversedAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      description: 'When the refund was reversed. It counts for nothing from then on. Null if it was not.',
    }),
    reversalReason: t.exposeString('reversalReason', {
      nullable: true,
      description: 'Why the refund was reversed. Null if it was not, or if the report had no reason.',
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

type Row = { programId: string; id: string }
const keyOf = ({ programId, id }: Row) => ({ programId_id: { programId, id } })
const saleKeyOf = ({ programId, saleId: id }: Refund) => keyOf({ programId, id })
const earnedOf = ({ programId, saleId }: Refund) => ({ programId, saleId, refundId: null })
const afterPaymentOf = ({ programId, id: refundId }: Refund) => ({ programId, refundId })

const WaitingRefundType = builder.prismaObject('WaitingRefund', {
  description:
    'A refund that was reported before its sale. It is recorded when the sale comes, and is then a `Refund` with the same id. It waits for 90 days.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, which the recorded refund has too.' }),
    saleExternalId: t.exposeString('saleExternalId', { description: 'The id of the sale in the billing system.' }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the refund in the billing system. Null if the report had none.',
    }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        "The amount to refund, in minor units of the sale's currency. Null if the report had none: all that remains, or up to `refundedTotalCents`.",
    }),
    refundedTotalCents: t.expose('refundedTotalCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'The sum of all refunds of the sale, as it was reported. Null if the report had none.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why the refund could not be recorded when the sale came. Null while it waits.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the refund was reported.' }),
  }),
})

rootConnection(
  'waitingRefunds',
  connectionOf(waitingRefundListing, WaitingRefundType),
  'Refunds that were reported before their sale in the last 90 days, and wait for it or could not be recorded.',
  { within: notExpired },
)

const waits = 'Null if the refund waits for its sale.'

const RefundSalePayload = builder.objectRef<RefundReport>('RefundSalePayload').implement({
  extensions: { restName: 'RefundReport' },
  description: 'The result of `refundSale`.',
  fields: (t) => ({
    object: objectName(t, 'refund'),
    // In GraphQL it is `refund { id }`: caches take `id` for the identity of the object that has it.
    id: t.id({
      subGraphs: ['rest'],
      description: 'The id of the refund, also while it waits for its sale.',
      resolve: ({ refund, waiting }) => (refund ?? waiting).id,
    }),
    duplicate: t.exposeBoolean('duplicate', {
      description: 'Whether the external id of the refund was reported before. If so, nothing changed.',
    }),
    waiting: t.boolean({
      description: 'Whether no sale has the external id yet. The refund is kept, and recorded when the sale comes.',
      resolve: ({ waiting }) => waiting !== null,
    }),
    hint: t.exposeString('hint', {
      nullable: true,
      description:
        'How a repeated report differs from the refund that was recorded, or that the refund waits or was reversed. Null otherwise.',
    }),
    saleId: t.id({
      nullable: true,
      description: `The id of the refunded sale. ${waits}`,
      resolve: ({ refund }) => refund?.saleId,
    }),
    amountCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        "The refunded amount, in minor units of the sale's currency. Null if it waits, and is known only then.",
      resolve: ({ refund, waiting }) => (refund ?? waiting).amountCents,
    }),
    refund: t.prismaField({
      type: 'Refund',
      nullable: true,
      subGraphs: publicOnly,
      description: `The recorded refund. ${waits}`,
      resolve: (query, { refund }, _args, ctx) =>
        refund && ctx.db.refund.findUniqueOrThrow({ ...query, where: keyOf(refund) }),
    }),
    waitingRefund: t.prismaField({
      type: 'WaitingRefund',
      nullable: true,
      subGraphs: publicOnly,
      description: 'The refund that waits for its sale. Null if it is recorded.',
      resolve: (query, { waiting }, _args, ctx) =>
        waiting && ctx.db.waitingRefund.findUnique({ ...query, where: keyOf(waiting) }),
    }),
    sale: t.prismaField({
      type: 'Sale',
      nullable: true,
      subGraphs: publicOnly,
      description: `The refunded sale. ${waits}`,
      resolve: (query, { refund }, _args, ctx) =>
        refund && ctx.db.sale.findUniqueOrThrow({ ...query, where: saleKeyOf(refund) }),
    }),
    commission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description:
        'The commission that the sale earned, after the refund. Null if it earned none, or is not known yet.',
      resolve: (query, { refund }, _args, ctx) =>
        refund && ctx.db.commission.findFirst({ ...query, where: earnedOf(refund) }),
    }),
    negativeCommission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description:
        'The debt that lowers the next payout. Null if the commission was not paid before the refund, or stays the same.',
      resolve: (query, { refund }, _args, ctx) =>
        refund &&
        ctx.db.commission.findFirst({ ...query, where: { ...afterPaymentOf(refund), amountCents: { lt: 0 } } }),
    }),
  }),
})

mutation('refundSale', RefundSalePayload, {
  description:
    'Records a full or partial refund of a sale, at most of what remains of it. An unpaid commission is recalculated for the rest of the sale, by its own copy of the rule; after a full refund it is void. If the commission is paid, a negative commission (a debt) lowers the next payout. If no sale has the `externalId` yet, the refund is kept, and recorded when the sale comes. Idempotent by `refundExternalId`: reporting a known one changes nothing.',
  subGraphs: everywhere,
  input: refundSaleInput,
  resolve: async (ctx, input) => {
    const report = await refundSale(programScope(ctx), input)
    if (report.differs && report.hint !== null) ctx.remark?.(report.hint)
    return report
  },
})

const ReverseRefundPayload = builder.objectRef<Refund>('ReverseRefundPayload').implement({
  extensions: { restName: 'RefundReversal' },
  description: 'The result of `reverseRefund`.',
  fields: (t) => ({
    object: objectName(t, 'refund_reversal'),
    // In GraphQL it is `refund { id }`, as in `RefundSalePayload`.
    id: t.id({ subGraphs: ['rest'], description: 'The id of the refund.', resolve: ({ id }) => id }),
    saleId: t.exposeID('saleId', { description: 'The id of the sale.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: "The amount of the refund, which is what was reversed, in minor units of the sale's currency.",
    }),
    reversedAt: t.expose('reversedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the refund was reversed. Never null here.',
    }),
    refund: t.prismaField({
      type: 'Refund',
      subGraphs: publicOnly,
      description: 'The reversed refund.',
      resolve: (query, refund, _args, ctx) => ctx.db.refund.findUniqueOrThrow({ ...query, where: keyOf(refund) }),
    }),
    sale: t.prismaField({
      type: 'Sale',
      subGraphs: publicOnly,
      description: 'The sale.',
      resolve: (query, refund, _args, ctx) => ctx.db.sale.findUniqueOrThrow({ ...query, where: saleKeyOf(refund) }),
    }),
    commission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description: 'The commission that the sale earned, after the reversal. Null if it earned none.',
      resolve: (query, refund, _args, ctx) => ctx.db.commission.findFirst({ ...query, where: earnedOf(refund) }),
    }),
    creditCommission: t.prismaField({
      type: 'Commission',
      nullable: true,
      description:
        'The commission that gives back what the refund had deducted after payment, due at once. Null if nothing had to be given back so: an unpaid commission is raised itself, and a debt that is not settled yet is voided.',
      resolve: (query, refund, _args, ctx) =>
        ctx.db.commission.findFirst({ ...query, where: { ...afterPaymentOf(refund), amountCents: { gt: 0 } } }),
    }),
  }),
})

mutation('reverseRefund', ReverseRefundPayload, {
  description:
    'Reverses a refund, for example because a dispute was won. It counts for nothing from then on, and the commission comes back as if it had never been: an unpaid one is raised, or void no longer; for a paid one, the debt is voided, or given back as a commission that is due at once. A commission that a person voided stays void. Once: a repeated reversal changes nothing, and returns the same.',
  subGraphs: everywhere,
  input: reverseRefundInput,
  resolve: (ctx, input) => reverseRefund(programScope(ctx), input),
})
