import { builder, publicOnly } from '../../graphql/builder.ts'
import { MoneyType, moneyOf } from '../../graphql/money.ts'
import { metricDescriptions } from './graphql-enums.ts'
import { subjectFields } from './graphql-subject.ts'
import type { Funnel, RankedItem } from './ranking.ts'

export const RankedItemType = builder.objectRef<RankedItem>('RankedItem').implement({
  description: 'An entry of a ranking.',
  subGraphs: publicOnly,
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'The position in the ranking, starting from 1.' }),
    ...subjectFields(t, {
      id: 'The id of the affiliate, campaign, link or coupon. Null for a currency.',
      label: 'The name of the affiliate or campaign, the token of the link or coupon, or the currency code.',
    }),
    value: t.float({
      nullable: true,
      description: 'The value of a count or rate. Null for an amount of money.',
      resolve: ({ amount }) => amount.value,
    }),
    rate: t.float({
      nullable: true,
      description: 'The value of a rate, as a fraction: 0.05 is 5 percent. Null for a count or an amount of money.',
      resolve: ({ amount, isRate }) => (isRate ? amount.value : null),
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
  }),
})

export const FunnelType = builder.objectRef<Funnel>('Funnel').implement({
  description:
    'The numbers of visitors, leads, conversions and sales. Each step is counted at the time when it happened, so a step can exceed the one before it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    ...subjectFields(t, {
      id: 'The id of the affiliate, campaign, link or coupon. Null for the funnel of all.',
      label: 'The name of the affiliate or campaign, or the token of the link or coupon; `all` for the funnel of all.',
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
