import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { MoneyType, moneyOf } from '../../graphql/money.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import { type AgedAmounts, type Aging, type ages, readAging } from './aging.ts'
import { AnalyticsType } from './graphql.ts'
import { costOfReport } from './graphql-costs.ts'
import {
  AnalyticsComparisonEnum,
  AnalyticsDimensionEnum,
  AnalyticsIntervalEnum,
  AnalyticsMetricEnum,
} from './graphql-enums.ts'
import { subjectFields } from './graphql-subject.ts'
import type { DimensionValue } from './labels.ts'
import { type LifetimeValue, readLifetimeValue } from './lifetime-value.ts'
import { type Mover, readMovers } from './movers.ts'
import { readTimeToSale, type TimeToSale } from './time-to-sale.ts'
import { readUnattributed, type UnattributedReason } from './unattributed.ts'

const subject = {
  id: 'The id of the affiliate, campaign, link or coupon. Null for all.',
  label: 'The name of the affiliate or campaign, or the token of the link or coupon; `all` for all.',
}

const MoverType = builder.objectRef<Mover>('Mover').implement({
  description: 'What has changed most: an affiliate, campaign, link or coupon, now and before.',
  subGraphs: publicOnly,
  fields: (t) => {
    const value = (name: 'amount' | 'comparison' | 'change', description: string) => ({
      count: t.float({
        nullable: true,
        description: `${description} Null for an amount of money.`,
        resolve: (mover) => mover[name].value,
      }),
      money: t.field({
        type: MoneyType,
        nullable: true,
        description: `${description} Null for a count.`,
        resolve: (mover) => moneyOf(mover[name].cents, mover.currency),
      }),
    })
    const [now, before, change] = [
      value('amount', 'The value in the range.'),
      value('comparison', 'The value in the time that the range is compared with.'),
      value('change', 'The value now less the value before: below 0 if it fell.'),
    ]
    return {
      rank: t.exposeInt('rank', { description: 'The position in the ranking, starting from 1.' }),
      ...subjectFields(t, subject),
      value: now.count,
      money: now.money,
      comparison: before.count,
      comparisonMoney: before.money,
      change: change.count,
      changeMoney: change.money,
      changeRate: t.exposeFloat('changeRate', {
        nullable: true,
        description: 'The change, as a fraction of the value before: -1 fell to 0. Null if it was 0 before.',
      }),
    }
  },
})

const seconds = (part: string) => `${part}, in seconds. Null without conversions.`

const TimeToSaleType = builder.objectRef<TimeToSale>('TimeToSale').implement({
  description: 'How long it took from the visit that created a referral to its first sale.',
  subGraphs: publicOnly,
  fields: (t) => ({
    ...subjectFields(t, subject),
    conversions: t.exposeInt('conversions', { description: 'The number of first sales.' }),
    lowerQuartileSeconds: t.exposeFloat('lowerQuartile', {
      nullable: true,
      description: seconds('A quarter of them took at most so long'),
    }),
    medianSeconds: t.exposeFloat('median', {
      nullable: true,
      description: seconds('Half of them took at most so long'),
    }),
    upperQuartileSeconds: t.exposeFloat('upperQuartile', {
      nullable: true,
      description: seconds('Three quarters of them took at most so long'),
    }),
  }),
})

const UnattributedReasonType = builder.objectRef<UnattributedReason>('UnattributedReason').implement({
  description: 'The sales without an affiliate for one reason.',
  subGraphs: publicOnly,
  fields: (t) => ({
    reason: t.exposeString('reason', {
      description:
        'The strongest signal that the report had, with its outcome, such as `coupon_not_found`; `no_signal` if it had none.',
    }),
    sales: t.exposeInt('sales', { description: 'The number of sales.' }),
    toDecide: t.exposeInt('toDecide', { description: 'How many of them a person should look at.' }),
    salesAmount: t.field({
      type: MoneyType,
      description: 'The sum of the sales.',
      resolve: ({ cents: amountCents, currency }) => ({ amountCents, currency }),
    }),
  }),
})

const descriptions: Record<(typeof ages)[number] | 'owed', string> = {
  owed: 'All of it. Debts of affiliates are deducted; held commissions are not included.',
  notDue: 'What is not due yet.',
  days0To30: 'What has been due for up to 30 days.',
  days31To60: 'What has been due for more than 30 and up to 60 days.',
  days61To90: 'What has been due for more than 60 and up to 90 days.',
  over90: 'What has been due for more than 90 days.',
}

const AgingOfAffiliateType = builder.objectRef<AgedAmounts & DimensionValue>('AgingOfAffiliate').implement({
  description: 'What one affiliate is owed in one currency, by how long it has been due.',
  subGraphs: publicOnly,
  fields: (t) => ({
    subjectId: t.exposeID('id', { nullable: true, description: 'The id of the affiliate.' }),
    label: t.exposeString('label', { description: 'The name of the affiliate.' }),
    affiliate: t.field({
      type: AffiliateType,
      nullable: true,
      description: 'The affiliate.',
      resolve: ({ affiliate }) => affiliate ?? null,
    }),
    ...agedFields((name) =>
      t.field({
        type: MoneyType,
        description: descriptions[name],
        resolve: ({ [name]: amountCents, currency }) => ({ amountCents, currency }),
      }),
    ),
  }),
})

const AgingType = builder.objectRef<Aging>('Aging').implement({
  description: 'What is owed to affiliates now in one currency, by how long it has been due.',
  subGraphs: publicOnly,
  fields: (t) => ({
    ...agedFields((name) =>
      t.field({
        type: MoneyType,
        description: descriptions[name],
        resolve: ({ [name]: amountCents, currency }) => ({ amountCents, currency }),
      }),
    ),
    affiliates: t.expose('affiliates', {
      type: [AgingOfAffiliateType],
      description: 'The affiliates who are owed most, the largest amount first.',
    }),
  }),
})

function agedFields<Ref>(field: (name: keyof typeof descriptions) => Ref) {
  const names = Object.keys(descriptions) as (keyof typeof descriptions)[]
  return Object.fromEntries(names.map((name) => [name, field(name)])) as Record<keyof typeof descriptions, Ref>
}

const LifetimeValueType = builder.objectRef<LifetimeValue>('LifetimeValue').implement({
  description: 'What customers have bought until now, from their first sale on.',
  subGraphs: publicOnly,
  fields: (t) => ({
    ...subjectFields(t, subject),
    customers: t.expose('customers', { type: 'SafeInt', description: 'The number of customers.' }),
    sales: t.expose('sales', { type: 'SafeInt', description: 'The number of their sales until now.' }),
    netAmount: t.field({
      type: MoneyType,
      description: 'The sum of their sales until now, less refunds.',
      resolve: ({ netCents: amountCents, currency }) => ({ amountCents, currency }),
    }),
    perCustomer: t.field({
      type: MoneyType,
      nullable: true,
      description: 'netAmount / customers, rounded half up to a minor unit. Null without customers.',
      resolve: ({ perCustomerCents, currency }) => moneyOf(perCustomerCents, currency),
    }),
  }),
})

const limitOf = (entries: string) => ({
  required: true as const,
  defaultValue: 20,
  description: `The number of ${entries}, from 1 to 100.`,
})

builder.objectFields(AnalyticsType, (t) => ({
  movers: t.field({
    type: [MoverType],
    complexity: costOfReport,
    description:
      'A ranking by change: what rose or fell most from the time that the range is compared with, the largest change first. What fell to 0 is among them; what did not change is left out.',
    args: {
      by: t.arg({ type: AnalyticsMetricEnum, required: true, description: 'A count or an amount of money.' }),
      dimension: t.arg({ type: AnalyticsDimensionEnum, required: true, description: 'What is ranked; no currency.' }),
      compareTo: t.arg({
        type: AnalyticsComparisonEnum,
        required: true,
        defaultValue: 'previous_period',
        description: 'The time that the range is compared with.',
      }),
      interval: t.arg({
        type: AnalyticsIntervalEnum,
        required: true,
        defaultValue: 'day',
        description: 'The interval in which the range is measured: MONTH compares a month with the month before.',
      }),
      limit: t.arg.int(limitOf('entries')),
    },
    resolve: (analytics, args, ctx) => readMovers(programScope(ctx), analytics, args),
  }),
  timeToSale: t.field({
    type: [TimeToSaleType],
    complexity: costOfReport,
    description:
      'How long it took from the visit to the first sale, of the first sales in the range: of all, or by affiliate, campaign or link, those with the most first. Referrals of coupons have no visit. All currencies count.',
    args: {
      by: t.arg({ type: AnalyticsDimensionEnum, description: 'AFFILIATE, CAMPAIGN or SOURCE. Default: one for all.' }),
      limit: t.arg.int(limitOf('entries')),
    },
    resolve: (analytics, args, ctx) => readTimeToSale(programScope(ctx), analytics, args),
  }),
  lifetimeValue: t.field({
    type: [LifetimeValueType],
    complexity: costOfReport,
    description:
      'What the customers whose first sale was in the range have bought until now: of all, or by what brought their first sale, the largest amount first. It reads every sale in the currency.',
    args: {
      by: t.arg({
        type: AnalyticsDimensionEnum,
        description: 'AFFILIATE, CAMPAIGN, SOURCE or COUPON. Default: one for all.',
      }),
      limit: t.arg.int(limitOf('entries')),
    },
    resolve: (analytics, args, ctx) => readLifetimeValue(programScope(ctx), analytics, args),
  }),
  unattributedReasons: t.field({
    type: [UnattributedReasonType],
    complexity: costOfReport,
    description:
      'Why sales of the range have no affiliate, the most frequent reason first. Such sales are kept for 90 days. Filters do not apply: they have no affiliate and no campaign.',
    resolve: (analytics, _args, ctx) => readUnattributed(programScope(ctx), analytics),
  }),
  aging: t.field({
    type: AgingType,
    complexity: costOfReport,
    description:
      'What is owed now in the currency, by how long it has been due, and to whom. The range does not apply.',
    args: { limit: t.arg.int(limitOf('affiliates')) },
    resolve: (analytics, { limit }, ctx) => readAging(programScope(ctx), analytics, limit),
  }),
}))
