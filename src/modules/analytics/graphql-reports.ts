import { builder, publicOnly } from '../../graphql/builder.ts'
import { MoneyType, moneyOf } from '../../graphql/money.ts'
import { AffiliateCouponType } from '../affiliates/coupons/graphql.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import { AffiliateLinkType } from '../affiliates/links/graphql.ts'
import { CampaignType } from '../campaigns/graphql.ts'
import type { Cohort } from './cohorts.ts'
import { metricDescriptions } from './graphql-enums.ts'
import type { Liability } from './liability.ts'
import type { Funnel, RankedItem } from './ranking.ts'

// The types of the other analytics reports: ranking, funnel, cohorts and liability.

export const RankedItemType = builder.objectRef<RankedItem>('RankedItem').implement({
  description: 'An entry of a ranking.',
  subGraphs: publicOnly,
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'The position in the ranking, starting from 1.' }),
    subjectId: t.exposeID('id', {
      nullable: true,
      description: 'The id of the affiliate, campaign, link or coupon. Null for a currency.',
    }),
    label: t.exposeString('label', {
      description: 'The name of the affiliate or campaign, the token of the link or coupon, or the currency code.',
    }),
    value: t.float({
      nullable: true,
      description: 'The value of a count or rate. Null for an amount of money.',
      resolve: ({ amount }) => amount.value,
    }),
    money: t.field({
      type: MoneyType,
      nullable: true,
      description: 'The value of an amount of money. Null for a count or rate.',
      resolve: ({ amount, currency }) => moneyOf(amount.cents, currency),
    }),
    base: t.expose('base', {
      type: 'SafeInt',
      nullable: true,
      description:
        'For a rate or an average: the number of visitors or sales that it is one of. Null for other metrics.',
    }),
    affiliate: t.field({
      type: AffiliateType,
      nullable: true,
      description: 'The affiliate, if affiliates are ranked. Else null.',
      resolve: (item) => item.affiliate ?? null,
    }),
    campaign: t.field({
      type: CampaignType,
      nullable: true,
      description: 'The campaign, if campaigns are ranked. Else null.',
      resolve: (item) => item.campaign ?? null,
    }),
    link: t.field({
      type: AffiliateLinkType,
      nullable: true,
      description: 'The link, if links are ranked. Else null.',
      resolve: (item) => item.link ?? null,
    }),
    coupon: t.field({
      type: AffiliateCouponType,
      nullable: true,
      description: 'The coupon, if coupons are ranked. Else null.',
      resolve: (item) => item.coupon ?? null,
    }),
  }),
})

export const FunnelType = builder.objectRef<Funnel>('Funnel').implement({
  description:
    'The numbers of visitors, leads, conversions and sales. Each step is counted at the time when it happened, so a step can exceed the one before it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    subjectId: t.exposeID('id', {
      nullable: true,
      description: 'The id of the affiliate, campaign, link or coupon. Null for the funnel of all.',
    }),
    label: t.exposeString('label', {
      description:
        'The name of the affiliate or campaign, or the token of the link or coupon; `all` for the funnel of all.',
    }),
    visitors: t.expose('visitors', { type: 'SafeInt', description: metricDescriptions.visitors }),
    leads: t.expose('leads', { type: 'SafeInt', description: metricDescriptions.leads }),
    conversions: t.expose('conversions', { type: 'SafeInt', description: metricDescriptions.conversions }),
    sales: t.expose('sales', { type: 'SafeInt', description: metricDescriptions.sales }),
    leadRate: t.exposeFloat('leadRate', {
      nullable: true,
      description: 'leads / visitors, as a fraction: 0.05 is 5 percent. Null if there are no visitors.',
    }),
    conversionRate: t.exposeFloat('conversionRate', {
      nullable: true,
      description: metricDescriptions.conversion_rate,
    }),
  }),
})

const CohortPeriodType = builder.objectRef<Cohort['periods'][number] & { currency: string }>('CohortPeriod').implement({
  description: 'The activity of the customers of a cohort in one month.',
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
    salesAmount: t.field({
      type: MoneyType,
      description: 'The sum of their sales in the month, in the currency of the query, before refunds.',
      resolve: ({ salesCents, currency }) => ({ amountCents: salesCents, currency }),
    }),
  }),
})

export const CohortType = builder.objectRef<Cohort>('Cohort').implement({
  description:
    'The customers whose first sale was in one month. A referral whose sales have no e-mail counts as one customer.',
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

const LiabilityWeekType = builder
  .objectRef<Liability['weeks'][number] & { currency: string }>('LiabilityWeek')
  .implement({
    description: 'The unpaid commissions with a due date in one week.',
    subGraphs: publicOnly,
    fields: (t) => ({
      week: t.exposeString('week', {
        description: 'The ISO 8601 week in the time zone of the query, such as 2026-W11.',
      }),
      start: t.expose('start', {
        type: 'DateTime',
        description: 'The start of the week: Monday in the time zone of the query.',
      }),
      amount: t.field({
        type: MoneyType,
        description: 'The sum of the commissions.',
        resolve: ({ amountCents, currency }) => ({ amountCents, currency }),
      }),
      commissions: t.expose('commissions', { type: 'SafeInt', description: 'The number of commissions.' }),
    }),
  })

export const LiabilityType = builder.objectRef<Liability>('Liability').implement({
  description: 'What is owed to affiliates now in one currency: the commissions that are neither paid nor void.',
  subGraphs: publicOnly,
  fields: (t) => {
    const amount = (description: string, cents: (liability: Liability) => bigint) =>
      t.field({
        type: MoneyType,
        description,
        resolve: (liability) => ({ amountCents: cents(liability), currency: liability.currency }),
      })
    return {
      currency: t.expose('currency', { type: 'Currency', description: 'The currency, as a lower-case ISO 4217 code.' }),
      owed: amount(
        'due + pending. Debts of affiliates are deducted; held commissions are not included.',
        (l) => l.dueCents + l.pendingCents,
      ),
      due: amount('The commissions that are due now.', (l) => l.dueCents),
      pending: amount('The commissions that are not due yet.', (l) => l.pendingCents),
      held: amount(
        'The held commissions, which are owed once they are approved. They are not part of the other amounts.',
        (l) => l.heldCents,
      ),
      weeks: t.field({
        type: [LiabilityWeekType],
        description: 'What is owed, by the week of the due date, in order. Weeks without commissions are left out.',
        resolve: ({ weeks, currency }) => weeks.map((week) => ({ ...week, currency })),
      }),
    }
  },
})
