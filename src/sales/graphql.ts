import { shownName } from '../customers/mask.ts'
import { explainedBy, explainSale, outcomeOf } from '../explanations/explain.ts'
import { ExplanationType } from '../explanations/graphql.ts'
import { builder, publicOnly } from '../graphql/builder.ts'
import { AttributionSignalEnum, NoCommissionReasonEnum, SaleOutcomeEnum } from '../graphql/enums.ts'

builder.prismaObject('Sale', {
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
    currency: t.exposeString('currency', { forAffiliate: true, description: 'ISO 4217, lower case.' }),
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
      select: explainedBy,
      resolve: (sale) => outcomeOf(sale),
    }),
    explanation: t.field({
      type: ExplanationType,
      description: 'Why it earned what it did, or nothing.',
      select: explainedBy,
      resolve: (sale) => explainSale(sale, sale.commissions.find(({ refundId }) => refundId === null) ?? null),
    }),
    refundedCents: t.expose('refundedCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The sum of its refunds, in minor units of `currency`.',
    }),
    refunds: t.relation('refunds', { forAffiliate: true, description: 'Oldest first.', query: explainedBy.refunds }),
    occurredAt: t.expose('occurredAt', { forAffiliate: true, type: 'DateTime' }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', description: 'When it was reported.' }),
    affiliate: t.relation('affiliate'),
    campaign: t.relation('campaign', { forAffiliate: true }),
    referral: t.relation('referral', { forAffiliate: true }),
    commissions: t.relation('commissions', {
      forAffiliate: true,
      description: 'The one it earned, and a negative one for each refund after that was paid; oldest first.',
      query: explainedBy.commissions,
    }),
  }),
})
