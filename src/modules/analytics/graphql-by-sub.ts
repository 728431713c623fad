import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { MoneyType } from '../../graphql/money.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import type { SubReport } from './by-sub.ts'
import { metricDescriptions } from './graphql-enums.ts'
import { readDimensionValues } from './labels.ts'

const forAffiliate = true

export const SubReportType = builder.objectRef<SubReport>('SubReport').implement({
  description: 'What one sub-id of an affiliate brought: the addresses with `sub=video-12`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    sub: t.exposeString('sub', { forAffiliate, description: 'The sub-id.' }),
    affiliate: t.field({
      type: AffiliateType,
      nullable: true,
      description: 'The affiliate.',
      resolve: ({ affiliateId }, _args, ctx) =>
        batched(ctx, 'affiliates of sub-ids', affiliateId, async (ids) => {
          const valueFor = await readDimensionValues(programScope(ctx), 'affiliate', ids)
          return ids.map((id) => valueFor(id).affiliate ?? null)
        }),
    }),
    visitors: t.expose('visitors', { forAffiliate, type: 'SafeInt', description: metricDescriptions.visitors }),
    leads: t.expose('leads', { forAffiliate, type: 'SafeInt', description: metricDescriptions.leads }),
    conversions: t.expose('conversions', {
      forAffiliate,
      type: 'SafeInt',
      description: metricDescriptions.conversions,
    }),
    sales: t.expose('sales', { forAffiliate, type: 'SafeInt', description: metricDescriptions.sales }),
    salesAmount: t.field({
      forAffiliate,
      type: MoneyType,
      description: metricDescriptions.sales_amount,
      resolve: ({ salesCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    commission: t.field({
      forAffiliate,
      type: MoneyType,
      description: 'The sum of the commissions of these sales and leads, without void ones.',
      resolve: ({ commissionCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
  }),
})

/** The argument of the field that lists them. */
export const subLimit = {
  required: true,
  defaultValue: 50,
  description: 'The number of entries, from 1 to 100.',
} as const
