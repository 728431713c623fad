import { explainedBy, explainSale, outcomeOf } from '../explanations/explain.ts'
import { ExplanationType } from '../explanations/graphql.ts'
import { builder, publicOnly } from '../graphql/builder.ts'
import { AttributionSignalEnum, NoCommissionReasonEnum, SaleOutcomeEnum } from '../graphql/enums.ts'

export const SaleType = builder.prismaObject('Sale', {
  description: 'A sale reported from a billing system.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The sale in the billing system; unique in the program.',
    }),
    amountCents: t.expose('amountCents', { type: 'SafeInt', description: 'In minor units of `currency`.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    customerName: t.exposeString('customerName', { nullable: true }),
    attributedBy: t.expose('attributedBy', {
      type: AttributionSignalEnum,
      description: 'Which signal found the affiliate.',
    }),
    noCommissionReason: t.expose('noCommissionReason', {
      type: NoCommissionReasonEnum,
      nullable: true,
      description: 'Why it earned no commission; null where it did.',
    }),
    outcome: t.field({
      type: SaleOutcomeEnum,
      description: 'What came of it; `explanation` says why.',
      select: explainedBy,
      resolve: (sale) => outcomeOf(sale),
    }),
    explanation: t.field({
      type: ExplanationType,
      description: 'Why it earned what it did, or nothing.',
      select: explainedBy,
      resolve: (sale) => explainSale(sale),
    }),
    refundedCents: t.expose('refundedCents', {
      type: 'SafeInt',
      description: 'The sum of its refunds, in minor units of `currency`.',
    }),
    refunds: t.relation('refunds', { description: 'Oldest first.', query: explainedBy.refunds }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was reported.' }),
    affiliate: t.relation('affiliate'),
    campaign: t.relation('campaign'),
    referral: t.relation('referral'),
    commissions: t.relation('commissions', {
      description: 'The one it earned, and a negative one for each refund after that was paid; oldest first.',
      query: explainedBy.commissions,
    }),
  }),
})
