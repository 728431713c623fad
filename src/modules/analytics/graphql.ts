import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { IDFilter } from '../../graphql/filters.ts'
import { type Money, MoneyType } from '../../graphql/money.ts'
import { whereOf } from '../../graphql/where.ts'
import { AffiliateCouponType } from '../affiliates/coupons/graphql.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import { AffiliateLinkType } from '../affiliates/links/graphql.ts'
import { affiliateListing } from '../affiliates/listing.ts'
import { CampaignType } from '../campaigns/graphql.ts'
import { campaignListing } from '../campaigns/listing.ts'
import { readCohorts } from './cohorts.ts'
import {
  AnalyticsComparisonEnum,
  AnalyticsDimensionEnum,
  AnalyticsIntervalEnum,
  AnalyticsMetricEnum,
  CohortIntervalEnum,
  meanings,
  RangePresetEnum,
} from './graphql-enums.ts'
import { CohortType, FunnelType, LiabilityType } from './graphql-reports.ts'
import { readLiability } from './liability.ts'
import { type Amount, evaluate, formulas, type Metric, rate } from './metrics.ts'
import { type RankedItem, readFunnel, readTop } from './ranking.ts'
import { type Point, readTimeSeries, type TimeSeries } from './series.ts'
import { type Analytics, openAnalytics } from './service.ts'
import { readTotals, type Totals } from './totals.ts'

export const AnalyticsRangeInput = builder.inputType('AnalyticsRange', {
  description: 'A range of time: either a preset, or from and to.',
  subGraphs: publicOnly,
  fields: (t) => ({
    preset: t.field({ type: RangePresetEnum, description: 'Read in the time zone. Excludes the other two.' }),
    from: t.field({ type: 'DateTime', description: 'The first moment that counts.' }),
    to: t.field({ type: 'DateTime', description: 'The first moment that counts no more.' }),
  }),
})

const AnalyticsWhereInput = builder.inputType('AnalyticsWhere', {
  description: 'Whose numbers count: those for which all that is given holds.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateId: t.field({ type: IDFilter }),
    campaignId: t.field({ type: IDFilter, description: 'The campaign that the referral was made to.' }),
    linkId: t.field({ type: IDFilter, description: 'The link that the referral came through; null: none.' }),
    couponId: t.field({ type: IDFilter, description: 'The coupon that the referral began with; null: none.' }),
    affiliate: t.field({
      type: whereOf(affiliateListing),
      description: 'Affiliates of whom this holds, at most 10,000; as in the list of affiliates.',
    }),
    campaign: t.field({
      type: whereOf(campaignListing),
      description: 'Campaigns of which this holds; as in the list of campaigns.',
    }),
  }),
})

const money = (cents: bigint | null, currency: string): Money | null =>
  cents === null ? null : { amountCents: cents, currency }

type TotalsOf = { totals: Totals; currency: string }

const amountOf = (metric: Metric, { totals }: TotalsOf): Amount => {
  const formula = formulas[metric]
  const { sum, per } = formula
  return evaluate(formula, totals[sum.kind][sum.of], per ? totals[per.kind][per.of] : 0n)
}

export const AnalyticsTotalsType = builder.objectRef<TotalsOf>('AnalyticsTotals').implement({
  description: 'What all of the range comes to. Each thing is counted when it happened.',
  subGraphs: publicOnly,
  fields: (t) => {
    const count = (metric: Metric & keyof typeof meanings) =>
      t.field({
        forAffiliate: true,
        type: 'SafeInt',
        description: meanings[metric],
        resolve: (of) => amountOf(metric, of).value as number,
      })
    const rateField = (metric: Metric) =>
      t.float({
        forAffiliate: true,
        nullable: true,
        description: meanings[metric],
        resolve: (of) => amountOf(metric, of).value,
      })
    const sum = (metric: Metric) =>
      t.field({
        forAffiliate: true,
        type: MoneyType,
        description: meanings[metric],
        resolve: (of) => ({ amountCents: amountOf(metric, of).cents ?? 0n, currency: of.currency }),
      })
    const average = (metric: Metric) =>
      t.field({
        forAffiliate: true,
        type: MoneyType,
        nullable: true,
        description: meanings[metric],
        resolve: (of) => money(amountOf(metric, of).cents, of.currency),
      })
    return {
      visitors: count('visitors'),
      leads: count('leads'),
      conversions: count('conversions'),
      leadRate: t.float({
        forAffiliate: true,
        nullable: true,
        description: 'leads / visitors, 0.05 being 5 percent; null without visitors.',
        resolve: ({ totals: { lead, visitor } }) => rate(lead.count, visitor.count),
      }),
      conversionRate: rateField('conversion_rate'),
      sales: count('sales'),
      salesAmount: sum('sales_amount'),
      refunds: count('refunds'),
      refundAmount: sum('refund_amount'),
      refundRate: rateField('refund_rate'),
      commissionAccrued: sum('commission_accrued'),
      commissionDue: sum('commission_due'),
      commissionPaid: sum('commission_paid'),
      commissionVoid: sum('commission_void'),
      averageSale: average('average_sale'),
      earningsPerClick: average('earnings_per_click'),
    }
  },
})

const TimeSeriesPointType = builder.objectRef<Point>('TimeSeriesPoint').implement({
  description: 'A metric in one interval; of the first and the last, what is in the range.',
  subGraphs: publicOnly,
  fields: (t) => ({
    start: t.expose('start', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'When the interval begins in the time zone.',
    }),
    label: t.exposeString('label', {
      forAffiliate: true,
      description: 'The interval: 2026-03-10, 2026-W11, 2026-03 or 2026-Q1.',
    }),
    value: t.float({
      forAffiliate: true,
      nullable: true,
      description: 'A count or a rate; null for a rate of nothing, and for money.',
      resolve: ({ amount }) => amount.value,
    }),
    money: t.field({
      forAffiliate: true,
      type: MoneyType,
      nullable: true,
      description: 'An amount; null for an average of nothing, and for what is no money.',
      resolve: ({ amount, currency }) => money(amount.cents, currency),
    }),
    comparison: t.float({
      forAffiliate: true,
      nullable: true,
      description: 'The same of what the point is compared with.',
      resolve: ({ comparison }) => comparison?.value ?? null,
    }),
    comparisonMoney: t.field({
      forAffiliate: true,
      type: MoneyType,
      nullable: true,
      description: 'The same of what the point is compared with.',
      resolve: ({ comparison, currency }) => money(comparison?.cents ?? null, currency),
    }),
  }),
})

export const TimeSeriesType = builder.objectRef<TimeSeries>('TimeSeries').implement({
  description: 'A metric over time, without gaps.',
  subGraphs: publicOnly,
  fields: (t) => ({
    metric: t.expose('metric', { forAffiliate: true, type: AnalyticsMetricEnum }),
    interval: t.expose('interval', { forAffiliate: true, type: AnalyticsIntervalEnum }),
    points: t.expose('points', {
      forAffiliate: true,
      type: [TimeSeriesPointType],
      description: 'In order, one for each interval.',
    }),
  }),
})

const RankedItemType = builder.objectRef<RankedItem>('RankedItem').implement({
  description: 'A place in a ranking.',
  subGraphs: publicOnly,
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'From 1.' }),
    id: t.exposeID('id', { nullable: true, description: 'Of the affiliate, campaign, link or coupon.' }),
    label: t.exposeString('label', { description: 'Its name; of a link or coupon the token, of a currency the code.' }),
    value: t.float({ nullable: true, description: 'A count or a rate.', resolve: ({ amount }) => amount.value }),
    money: t.field({
      type: MoneyType,
      nullable: true,
      description: 'An amount.',
      resolve: ({ amount, currency }) => money(amount.cents, currency),
    }),
    affiliate: t.field({ type: AffiliateType, nullable: true, resolve: (item) => item.affiliate ?? null }),
    campaign: t.field({ type: CampaignType, nullable: true, resolve: (item) => item.campaign ?? null }),
    link: t.field({ type: AffiliateLinkType, nullable: true, resolve: (item) => item.link ?? null }),
    coupon: t.field({ type: AffiliateCouponType, nullable: true, resolve: (item) => item.coupon ?? null }),
  }),
})

export const seriesArgs = builder.args((t) => ({
  metric: t.field({ type: AnalyticsMetricEnum, required: true, description: 'What to count.' }),
  interval: t.field({ type: AnalyticsIntervalEnum, required: true, defaultValue: 'day' }),
  compareTo: t.field({ type: AnalyticsComparisonEnum, description: 'Gives each point one to hold it against.' }),
}))

export const rangeArgs = builder.args((t) => ({
  range: t.field({ type: AnalyticsRangeInput, required: true, description: 'Which time counts.' }),
  timeZone: t.string({ description: 'An IANA time zone, such as Europe/Berlin. Default: UTC.' }),
  currency: t.field({ type: 'Currency', description: "ISO 4217. Default: the program's currency." }),
}))

const AnalyticsType = builder.objectRef<Analytics>('Analytics').implement({
  description: 'Numbers of the program over a range of time. What is not asked for is not counted.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.field({
      type: 'DateTime',
      description: 'The first moment that counts.',
      resolve: ({ from }) => new Date(from),
    }),
    to: t.field({
      type: 'DateTime',
      description: 'The first moment that counts no more.',
      resolve: ({ to }) => new Date(to),
    }),
    timeZone: t.exposeString('timeZone', { description: 'Days, weeks, months and quarters are of this zone.' }),
    currency: t.field({
      type: 'Currency',
      description: 'ISO 4217, lower case: money, sales and refunds are of this one; currencies are never added up.',
      resolve: ({ question }) => question.currency,
    }),
    totals: t.field({
      type: AnalyticsTotalsType,
      description: 'What all of the range comes to.',
      resolve: async (analytics, _args, ctx) => {
        const totals = await readTotals(programScope(ctx), analytics)
        return { totals, currency: analytics.question.currency }
      },
    }),
    timeSeries: t.field({
      type: TimeSeriesType,
      description: 'A metric over time: one point for each interval that the range touches, at most 1,000.',
      args: seriesArgs,
      resolve: (analytics, args, ctx) => readTimeSeries(programScope(ctx), analytics, args),
    }),
    top: t.field({
      type: [RankedItemType],
      description:
        'The first of a dimension, largest first; what comes to nothing is left out. Currencies are ranked by how many facts their amounts are of, as amounts of two can not be compared.',
      args: {
        by: t.arg({ type: AnalyticsMetricEnum, required: true, description: 'What to rank by.' }),
        dimension: t.arg({ type: AnalyticsDimensionEnum, required: true, description: 'What to rank.' }),
        limit: t.arg.int({ required: true, defaultValue: 10, description: 'How many, 1 to 100.' }),
      },
      resolve: (analytics, args, ctx) => readTop(programScope(ctx), analytics, args),
    }),
    funnel: t.field({
      type: [FunnelType],
      description:
        'From visitors to sales: one funnel of all, or one for each of a dimension, the 100 with the most visitors.',
      args: { by: t.arg({ type: AnalyticsDimensionEnum, description: 'Any but the currency.' }) },
      resolve: (analytics, { by }, ctx) => readFunnel(programScope(ctx), analytics, by),
    }),
    cohorts: t.field({
      type: [CohortType],
      description:
        'Customers by the month of their first sale, for each month that the range touches until now, at most 60. It reads every sale.',
      args: { by: t.arg({ type: CohortIntervalEnum, required: true, defaultValue: 'month' }) },
      resolve: (analytics, _args, ctx) => readCohorts(programScope(ctx), analytics),
    }),
    liability: t.field({
      type: [LiabilityType],
      description: 'What is owed now, by currency: in every currency, and not bound by the range.',
      resolve: (analytics, _args, ctx) => readLiability(programScope(ctx), analytics),
    }),
  }),
})

builder.queryField('analytics', (t) =>
  t.field({
    type: AnalyticsType,
    description:
      "Numbers of the program over a range of time, exact at every moment. Each thing is counted when it happened, by the program's clock.",
    args: {
      ...rangeArgs,
      where: t.arg({ type: AnalyticsWhereInput, description: 'Whose numbers count; all, unless given.' }),
    },
    resolve: (_root, args, ctx) => openAnalytics(programScope(ctx), args),
  }),
)
