import { builder, publicOnly } from '../../graphql/builder.ts'
import { MoneyType } from '../../graphql/money.ts'
import type { Cohort } from './cohorts.ts'
import { meanings } from './graphql-enums.ts'
import type { Liability } from './liability.ts'
import type { Funnel } from './ranking.ts'

// The reports of analytics beside totals, series and rankings.

export const FunnelType = builder.objectRef<Funnel>('Funnel').implement({
  description: 'How many came how far. Each step is counted when it was taken, so a step can exceed the one before.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { nullable: true, description: 'Of the affiliate, campaign, link or coupon; null of all.' }),
    label: t.exposeString('label', { description: 'Its name; of all: all.' }),
    visitors: t.expose('visitors', { type: 'SafeInt', description: meanings.visitors }),
    leads: t.expose('leads', { type: 'SafeInt', description: meanings.leads }),
    conversions: t.expose('conversions', { type: 'SafeInt', description: meanings.conversions }),
    sales: t.expose('sales', { type: 'SafeInt', description: meanings.sales }),
    leadRate: t.exposeFloat('leadRate', { nullable: true, description: 'leads / visitors; null without visitors.' }),
    conversionRate: t.exposeFloat('conversionRate', { nullable: true, description: meanings.conversion_rate }),
  }),
})

const CohortPeriodType = builder.objectRef<Cohort['periods'][number] & { currency: string }>('CohortPeriod').implement({
  description: 'What became of the customers of a cohort in one month.',
  subGraphs: publicOnly,
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Months since the first sale; 0 is the month of it.' }),
    activeCustomers: t.expose('activeCustomers', { type: 'SafeInt', description: 'Customers with a sale in it.' }),
    retention: t.exposeFloat('retention', {
      nullable: true,
      description: 'activeCustomers / customers; null without customers.',
    }),
    salesAmount: t.field({
      type: MoneyType,
      description: 'Their sales in it, in `currency`; refunds are not taken off.',
      resolve: ({ salesCents, currency }) => ({ amountCents: salesCents, currency }),
    }),
  }),
})

export const CohortType = builder.objectRef<Cohort>('Cohort').implement({
  description: 'Customers whose first sale was in one month; without an e-mail, each referral is a customer.',
  subGraphs: publicOnly,
  fields: (t) => ({
    month: t.exposeString('month', { description: 'As 2026-03, in the time zone.' }),
    customers: t.expose('customers', { type: 'SafeInt', description: 'How many they are.' }),
    salesAmount: t.field({
      type: MoneyType,
      description: 'Their sales in all periods, in `currency`; refunds are not taken off.',
      resolve: ({ salesCents, currency }) => ({ amountCents: salesCents, currency }),
    }),
    periods: t.field({
      type: [CohortPeriodType],
      description: 'Each month from the first sale to the end of the range, or now.',
      resolve: ({ periods, currency }) => periods.map((period) => ({ ...period, currency })),
    }),
  }),
})

const LiabilityWeekType = builder
  .objectRef<Liability['weeks'][number] & { currency: string }>('LiabilityWeek')
  .implement({
    description: 'What becomes due in one week, or became due in it and is not paid.',
    subGraphs: publicOnly,
    fields: (t) => ({
      week: t.exposeString('week', { description: 'As 2026-W11: ISO 8601, in the time zone.' }),
      start: t.expose('start', { type: 'DateTime', description: 'When it begins: on Monday, in the time zone.' }),
      amount: t.field({ type: MoneyType, resolve: ({ amountCents, currency }) => ({ amountCents, currency }) }),
      commissions: t.expose('commissions', { type: 'SafeInt', description: 'How many.' }),
    }),
  })

export const LiabilityType = builder.objectRef<Liability>('Liability').implement({
  description: 'What is owed to affiliates now, in one currency: commissions that are neither paid nor void.',
  subGraphs: publicOnly,
  fields: (t) => {
    const amount = (description: string, cents: (liability: Liability) => bigint) =>
      t.field({
        type: MoneyType,
        description,
        resolve: (liability) => ({ amountCents: cents(liability), currency: liability.currency }),
      })
    return {
      currency: t.exposeString('currency', { description: 'ISO 4217, lower case.' }),
      owed: amount(
        'due + pending, debts of affiliates taken off; without what is held.',
        (l) => l.dueCents + l.pendingCents,
      ),
      due: amount('Due by now.', (l) => l.dueCents),
      pending: amount('Earned, not yet due.', (l) => l.pendingCents),
      held: amount(
        'Waits for a person to decide, and is owed once approved; in none of the others.',
        (l) => l.heldCents,
      ),
      weeks: t.field({
        type: [LiabilityWeekType],
        description: 'What is owed by the week of its due date, in order; only weeks that have something.',
        resolve: ({ weeks, currency }) => weeks.map((week) => ({ ...week, currency })),
      }),
    }
  },
})
