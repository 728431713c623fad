import { builder, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { shownName } from '../customers/mask.ts'
import { explainSale, outcomeOf } from './explanations/explain.ts'
import { ExplanationType, explainedSale } from './explanations/graphql.ts'
import { findSale } from './find.ts'
import { AttributionSignalEnum, NoCommissionReasonEnum, SaleOutcomeEnum } from './graphql-enums.ts'
import { saleListing } from './listing.ts'

export const SaleType = builder.prismaObject('Sale', {
  description: 'A sale reported from a billing system.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The sale in the billing system; unique in the program.',
    }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'In minor units of `currency`.',
    }),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    customerName: t.string({
      forAffiliate: true,
      nullable: true,
      description: 'Its first letters alone, for an affiliate.',
      resolve: ({ customerName }, _args, ctx) => shownName(ctx, customerName),
    }),
    attributedBy: t.expose('attributedBy', {
      forAffiliate: true,
      type: AttributionSignalEnum,
      description: 'Which signal found the affiliate.',
    }),
    noCommissionReason: t.expose('noCommissionReason', {
      forAffiliate: true,
      type: NoCommissionReasonEnum,
      nullable: true,
      description: 'Why it earned no commission; null where it did.',
    }),
    outcome: t.field({
      forAffiliate: true,
      type: SaleOutcomeEnum,
      description: 'What came of it; `explanation` says why.',
      resolve: async (sale, _args, ctx) => outcomeOf(await explainedSale(ctx, sale)),
    }),
    explanation: t.field({
      type: ExplanationType,
      description: 'Why it earned what it did, or nothing.',
      resolve: async (sale, _args, ctx) => explainSale(await explainedSale(ctx, sale)),
    }),
    refundedCents: t.expose('refundedCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The sum of its refunds, in minor units of `currency`.',
    }),
    occurredAt: t.expose('occurredAt', { forAffiliate: true, type: 'DateTime' }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', description: 'When it was reported.' }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When it was last changed: reported, or refunded.',
    }),
    netAmountCents: t.field({
      type: 'SafeInt',
      subGraphs: supersetOnly,
      description: 'What remains of the amount after refunds, in minor units of `currency`.',
      resolve: ({ amountCents, refundedCents }) => amountCents - refundedCents,
    }),
    affiliate: t.relation('affiliate'),
    campaign: t.relation('campaign', { forAffiliate: true }),
    referral: t.relation('referral', { forAffiliate: true }),
    customer: t.relation('customer', {
      forAffiliate: true,
      nullable: true,
      description: 'Who bought; null where the sale was reported without an e-mail.',
    }),
  }),
})

export const saleConnection = connectionOf(saleListing, SaleType)

rootConnection('sales', saleConnection, "The program's sales.")

builder.queryField('sale', (t) =>
  t.prismaField({
    type: 'Sale',
    description: 'A sale by id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findSale(programScope(ctx), id, query),
  }),
)

builder.subscriptionField('saleReported', (t) =>
  t.prismaField({
    type: 'Sale',
    description: 'A sale was recorded: reported by a client, or attributed by hand.',
    subscribe: (_root, _args, ctx) => ctx.events.open('sale'),
    resolve: (query, id, _args, ctx) => findSale(programScope(ctx), id as string, query),
  }),
)
