import type { Sale } from '../../generated/prisma/client.ts'
import { afterEvent } from '../../graphql/after-event.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { fromColumns } from '../../graphql/from-columns.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { shownName } from '../customers/mask.ts'
import { BillingIntervalEnum } from '../rules/graphql-enums.ts'
import { explainSale, outcomeOf } from './explanations/explain.ts'
import { ExplanationType, explainedSale } from './explanations/graphql.ts'
import { findSale } from './find.ts'
import { AttributionSignalEnum, NoCommissionReasonEnum, SaleOutcomeEnum, SaleSourceEnum } from './graphql-enums.ts'
import { listSalesInput } from './input.ts'
import { SaleItemType } from './items/graphql.ts'
import { soldItems } from './items/read-items.ts'
import { listSales, saleListing } from './listing.ts'
import { saleSourceOf } from './source.ts'

export const SaleType = builder.prismaObject('Sale', {
  description: 'A sale that was reported from a billing system and attributed to an affiliate.',
  // REST has the convention's names of the other fields: see src/resources/sales.ts.
  defaultSubGraphsForFields: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, subGraphs: everywhere, description: 'The id of the sale.' }),
    object: objectName(t, 'sale'),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the sale in the billing system. Unique in the program. Null if the report had none.',
    }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The amount of the sale before refunds, in minor units of `currency`.',
    }),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    billingInterval: t.expose('billingInterval', {
      forAffiliate: true,
      type: BillingIntervalEnum,
      nullable: true,
      description: 'How often such a sale is billed. Null if the report did not say.',
    }),
    paymentNumber: t.exposeInt('paymentNumber', {
      forAffiliate: true,
      nullable: true,
      description:
        'Which payment of its subscription it is by the billing system, from 1. Null if the report did not say.',
    }),
    items: t.field({
      forAffiliate: true,
      type: [SaleItemType],
      description: 'The products that were sold. Empty if the report did not say.',
      resolve: soldItems,
    }),
    customerName: t.string({
      forAffiliate: true,
      nullable: true,
      description: "The customer's name. An affiliate sees only its first letters. Null if the report had none.",
      resolve: ({ customerName }, _args, ctx) => shownName(ctx, customerName),
    }),
    attributedBy: t.expose('attributedBy', {
      forAffiliate: true,
      type: AttributionSignalEnum,
      description: 'The signal that led to the affiliate.',
    }),
    source: t.field({
      forAffiliate: true,
      type: SaleSourceEnum,
      select: { attributedBy: true, referral: { select: { agentProvider: true } } },
      description:
        'Where the sale comes from. `attributedBy` is the signal by which its affiliate was found; a referral id can be that of a link, or of a visit that an agent brought.',
      resolve: saleSourceOf,
    }),
    noCommissionReason: t.expose('noCommissionReason', {
      forAffiliate: true,
      type: NoCommissionReasonEnum,
      nullable: true,
      description: 'Why the sale earned no commission. Null if it earned one.',
    }),
    outcome: t.field({
      forAffiliate: true,
      type: SaleOutcomeEnum,
      description: 'Whether the sale earned a commission, or why not. `explanation` has the details.',
      resolve: async (sale, _args, ctx) => outcomeOf(await explainedSale(ctx, sale)),
    }),
    explanation: t.field({
      type: ExplanationType,
      description: 'Why the sale was attributed to the affiliate, and how its commission was calculated.',
      resolve: async (sale, _args, ctx) => explainSale(await explainedSale(ctx, sale)),
    }),
    refundedCents: t.expose('refundedCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The sum of the refunds of the sale, in minor units of `currency`.',
    }),
    occurredAt: t.expose('occurredAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the sale occurred.',
    }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the sale was recorded.',
    }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the sale was last changed: recorded or refunded.',
    }),
    netAmountCents: t.field({
      type: 'SafeInt',
      subGraphs: supersetOnly,
      description: 'The amount of the sale after refunds, in minor units of `currency`.',
      ...fromColumns<Sale>()(
        ['amountCents', 'refundedCents'],
        ({ amountCents, refundedCents }) => amountCents - refundedCents,
      ),
    }),
    affiliate: t.relation('affiliate', { description: 'The affiliate who brought the customer.' }),
    campaign: t.relation('campaign', {
      forAffiliate: true,
      description: 'The campaign whose rules apply to the sale.',
    }),
    referral: t.relation('referral', { forAffiliate: true, description: 'The referral that the sale belongs to.' }),
    customer: t.relation('customer', {
      forAffiliate: true,
      nullable: true,
      description: 'The customer who bought. Null if neither the report nor the referral had a customer.',
    }),
  }),
})

export const saleConnection = connectionOf(saleListing, SaleType)

rootConnection('sales', saleConnection, "The program's sales.")

restList('sales', SaleType, listSalesInput, listSales, "The program's sales, newest first.")

builder.queryField('sale', (t) =>
  t.prismaField({
    type: 'Sale',
    description: 'Finds a sale by its id.',
    subGraphs: everywhere,
    isLookUp: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the sale.' }) },
    resolve: (query, _root, { id }, ctx) => findSale(programScope(ctx), id, query),
  }),
)

builder.subscriptionField('saleReported', (t) =>
  t.prismaField({
    type: 'Sale',
    description: 'Sent when a sale is recorded: reported by a client, or attributed by hand. The payload is the sale.',
    args: { after: t.arg.id({ description: afterEvent }) },
    subscribe: (_root, { after }, ctx) => ctx.events.open({ types: ['sale.created'], yields: 'subject', after }),
    resolve: (query, id, _args, ctx) => findSale(programScope(ctx), id as string, query),
  }),
)
