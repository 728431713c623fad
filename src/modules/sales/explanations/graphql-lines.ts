import { builder, publicOnly } from '../../../graphql/builder.ts'
import { NoCommissionReasonEnum } from '../graphql-enums.ts'
import type { ExplainedLine } from './lines.ts'

export const ExplanationLineType = builder.objectRef<ExplainedLine>('ExplanationLine').implement({
  description: 'What an item of a sale earns, or the rest of the sale. The lines add up to the commission.',
  subGraphs: publicOnly,
  fields: (t) => ({
    productId: t.exposeString('productId', {
      forAffiliate: true,
      nullable: true,
      description: 'The id of the product. Null for the rest of the sale.',
    }),
    name: t.exposeString('name', {
      forAffiliate: true,
      nullable: true,
      description: 'What the product is called. Null if the report did not say, and for the rest of the sale.',
    }),
    quantity: t.exposeInt('quantity', { forAffiliate: true, description: 'The number of units.' }),
    amountCents: t.expose('saleCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The amount of the line after refunds, in minor units of the currency of the sale.',
    }),
    percent: t.float({
      forAffiliate: true,
      nullable: true,
      description: 'The percentage that it earns. Null if it earns a fixed amount.',
      resolve: ({ basisPoints }) => (basisPoints === null ? null : basisPoints / 100),
    }),
    fixedCents: t.expose('fixedCents', {
      forAffiliate: true,
      type: 'SafeInt',
      nullable: true,
      description:
        'The fixed amount for all units, in minor units of the currency of the commission. Null if it earns a percentage.',
    }),
    commissionCents: t.expose('commissionCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'What the line earns, rounded half up, in minor units of the currency of the commission.',
    }),
    ruleId: t.id({
      nullable: true,
      description: 'The id of the rule for products that applied. Null: it earns as the rest of the sale.',
      resolve: ({ rule }) => rule?.id ?? null,
    }),
    ruleName: t.string({
      nullable: true,
      description: 'The name of this rule when the sale was recorded. Null without one.',
      resolve: ({ rule }) => rule?.name ?? null,
    }),
    reason: t.expose('reason', {
      forAffiliate: true,
      type: NoCommissionReasonEnum,
      nullable: true,
      description: 'Why it earns nothing. Null if it earns something.',
    }),
  }),
})
