import { builder, publicOnly } from '../../graphql/builder.ts'
import { MoneyType } from '../../graphql/money.ts'
import type { Cohort } from './cohorts.ts'

const CohortPeriodType = builder.objectRef<Cohort['periods'][number] & { currency: string }>('CohortPeriod').implement({
  description: 'The activity of the customers of a cohort in one month.',
  subGraphs: publicOnly,
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'The number of months since the month of the first sale, which is 0.' }),
    activeCustomers: t.expose('activeCustomers', {
      type: 'SafeInt',
      description: 'The number of customers with a sale in the month, in the currency of the query.',
    }),
    retention: t.exposeFloat('retention', {
      nullable: true,
      description: 'activeCustomers / customers, as a fraction. Null if the cohort has no customers.',
    }),
    salesAmount: t.field({
      type: MoneyType,
      description: 'The sum of their sales in the month, in the currency of the query, before refunds.',
      resolve: ({ salesCents, currency }) => ({ amountCents: salesCents, currency }),
    }),
  }),
})

export const CohortType = builder.objectRef<Cohort>('Cohort').implement({
  description:
    'The customers whose first sale in a currency was in one month. A referral whose sales have no e-mail counts as one customer.',
  subGraphs: publicOnly,
  fields: (t) => ({
    month: t.exposeString('month', {
      description: 'The month of the first sale in the time zone of the query, such as 2026-03.',
    }),
    customers: t.expose('customers', { type: 'SafeInt', description: 'The number of customers.' }),
    salesAmount: t.field({
      type: MoneyType,
      description: 'The sum of their sales in all periods, in the currency of the query, before refunds.',
      resolve: ({ salesCents, currency }) => ({ amountCents: salesCents, currency }),
    }),
    periods: t.field({
      type: [CohortPeriodType],
      description:
        'One entry for each month, from the first sale to the end of the range or now, whichever is earlier.',
      resolve: ({ periods, currency }) => periods.map((period) => ({ ...period, currency })),
    }),
  }),
})

const CustomerCohortPeriodType = builder.objectRef<Cohort['periods'][number]>('CustomerCohortPeriod').implement({
  description: 'The activity of the customers of a cohort in one month, in any currency.',
  subGraphs: publicOnly,
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'The number of months since the month of the first sale, which is 0.' }),
    activeCustomers: t.expose('activeCustomers', {
      type: 'SafeInt',
      description: 'The number of customers with a sale in the month.',
    }),
    retention: t.exposeFloat('retention', {
      nullable: true,
      description: 'activeCustomers / customers, as a fraction. Null if the cohort has no customers.',
    }),
  }),
})

export const CustomerCohortType = builder.objectRef<Cohort>('CustomerCohort').implement({
  description:
    'The customers whose first sale in any currency was in one month. Each customer is in one cohort. There are no amounts, because currencies are never added up.',
  subGraphs: publicOnly,
  fields: (t) => ({
    month: t.exposeString('month', {
      description: 'The month of the first sale in the time zone of the query, such as 2026-03.',
    }),
    customers: t.expose('customers', { type: 'SafeInt', description: 'The number of customers.' }),
    periods: t.expose('periods', {
      type: [CustomerCohortPeriodType],
      description:
        'One entry for each month, from the first sale to the end of the range or now, whichever is earlier.',
    }),
  }),
})
