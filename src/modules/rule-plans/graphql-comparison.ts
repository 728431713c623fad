import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { MoneyType } from '../../graphql/money.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import { average } from '../analytics/metrics.ts'
import { type AffiliateChange, type ComparedEarnings, type Earnings, largestChanges } from './comparison.ts'

const EarningsType = builder.objectRef<Earnings & { currency: string; sales: number }>('RulePlanEarnings').implement({
  description: 'The commissions of the sales of the range, in one currency.',
  subGraphs: publicOnly,
  fields: (t) => ({
    amount: t.field({ type: MoneyType, description: 'The sum of the commissions.', resolve: (earnings) => earnings }),
    commissions: t.exposeInt('commissions', { description: 'The number of commissions.' }),
    averagePerSale: t.field({
      type: MoneyType,
      nullable: true,
      description: 'amount / sales, rounded half up to a minor unit. Null if there are no sales in this currency.',
      resolve: ({ amountCents, sales, currency }) => {
        const cents = average(amountCents, BigInt(sales))
        return cents === null ? null : { amountCents: cents, currency }
      },
    }),
  }),
})

const AffiliateChangeType = builder.objectRef<AffiliateChange>('RulePlanAffiliate').implement({
  description: 'An affiliate who would earn more or less.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliate: t.field({
      type: AffiliateType,
      description: 'The affiliate.',
      resolve: ({ affiliate }) => affiliate,
    }),
    before: t.field({
      type: MoneyType,
      description: 'Without the change.',
      resolve: ({ beforeCents, currency }) => ({ amountCents: beforeCents, currency }),
    }),
    after: t.field({
      type: MoneyType,
      description: 'With the change.',
      resolve: ({ afterCents, currency }) => ({ amountCents: afterCents, currency }),
    }),
    difference: t.field({
      type: MoneyType,
      description: 'after - before.',
      resolve: ({ beforeCents, afterCents, currency }) => ({ amountCents: afterCents - beforeCents, currency }),
    }),
  }),
})

export const ComparedEarningsType = builder.objectRef<ComparedEarnings>('RulePlanCurrency').implement({
  description:
    'What the sales of the range earn in one currency, without and with a change of rules. Amounts in different currencies are never added.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { type: 'Currency', description: 'The currency, a lower-case ISO 4217 code.' }),
    sales: t.exposeInt('sales', { description: 'The number of sales in this currency in the range.' }),
    before: t.field({
      type: EarningsType,
      description:
        'Without the change. In a plan: by the present rules. In a simulation: what the sales earned, after changes by hand, refunds and corrections, without cancelled commissions.',
      resolve: ({ before, currency, sales }) => ({ ...before, currency, sales }),
    }),
    after: t.field({
      type: EarningsType,
      description: 'With the change.',
      resolve: ({ after, currency, sales }) => ({ ...after, currency, sales }),
    }),
    difference: t.field({
      type: MoneyType,
      description: 'after - before.',
      resolve: ({ before, after, currency }) => ({ amountCents: after.amountCents - before.amountCents, currency }),
    }),
    affiliates: t.field({
      type: [AffiliateChangeType],
      description: 'The affiliates with the largest changes, up or down. Those without a change are left out.',
      args: { limit: t.arg.int({ required: true, defaultValue: 10, description: 'How many, from 1 to 100.' }) },
      resolve: (total, { limit }, ctx) => largestChanges(programScope(ctx), total, limit),
    }),
  }),
})
