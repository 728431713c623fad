import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { MoneyType, moneyOf } from '../../graphql/money.ts'
import { readBySub } from './by-sub.ts'
import { readCohorts } from './cohorts.ts'
import { SubReportType, subLimit } from './graphql-by-sub.ts'
import { CohortType, CustomerCohortType } from './graphql-cohorts.ts'
import { costOfRange, costOfReport, costOfSeries } from './graphql-costs.ts'
import {
  AnalyticsComparisonEnum,
  AnalyticsDimensionEnum,
  AnalyticsIntervalEnum,
  AnalyticsMetricEnum,
  CohortIntervalEnum,
  metricDescriptions,
} from './graphql-enums.ts'
import { AnalyticsWhereInput, groupArgs, rangeArgs, seriesArgs } from './graphql-inputs.ts'
import { LiabilityType } from './graphql-liability.ts'
import { FunnelType, RankedItemType } from './graphql-ranking.ts'
import { TimeSeriesType } from './graphql-series.ts'
import { readLiability } from './liability.ts'
import { type Amount, evaluate, formulas, type Metric, rate } from './metrics.ts'
import { readFunnel, readTop } from './ranking.ts'
import { readSeriesByGroup } from './series-by-group.ts'
import { type Analytics, openAnalytics } from './service.ts'
import { readComparedTotals, readTotals, type Totals } from './totals.ts'

type TotalsInCurrency = { totals: Totals; currency: string }

const amountOf = (metric: Metric, { totals }: TotalsInCurrency): Amount => {
  const formula = formulas[metric]
  const { sum, per } = formula
  return evaluate(formula, totals[sum.kind][sum.of], per ? totals[per.kind][per.of] : 0n)
}

export const AnalyticsTotalsType = builder.objectRef<TotalsInCurrency>('AnalyticsTotals').implement({
  description: 'The totals of a time range. Each event is counted at the time when it happened.',
  subGraphs: publicOnly,
  fields: (t) => {
    const count = (metric: Metric & keyof typeof metricDescriptions) =>
      t.field({
        forAffiliate: true,
        type: 'SafeInt',
        description: metricDescriptions[metric],
        resolve: (totals) => amountOf(metric, totals).value as number,
      })
    const rateField = (metric: Metric) =>
      t.float({
        forAffiliate: true,
        nullable: true,
        description: metricDescriptions[metric],
        resolve: (totals) => amountOf(metric, totals).value,
      })
    const sum = (metric: Metric) =>
      t.field({
        forAffiliate: true,
        type: MoneyType,
        description: metricDescriptions[metric],
        resolve: (totals) => ({ amountCents: amountOf(metric, totals).cents ?? 0n, currency: totals.currency }),
      })
    const average = (metric: Metric) =>
      t.field({
        forAffiliate: true,
        type: MoneyType,
        nullable: true,
        description: metricDescriptions[metric],
        resolve: (totals) => moneyOf(amountOf(metric, totals).cents, totals.currency),
      })
    return {
      visitors: count('visitors'),
      leads: count('leads'),
      conversions: count('conversions'),
      leadRate: t.float({
        forAffiliate: true,
        nullable: true,
        description: 'leads / visitors, as a fraction: 0.05 is 5 percent. Null if there are no visitors.',
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

export const AnalyticsType = builder.objectRef<Analytics>('Analytics').implement({
  description: 'Analytics of the program over a time range. Only the selected fields are computed.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.field({
      type: 'DateTime',
      description: 'The start of the range, inclusive.',
      resolve: ({ from }) => new Date(from),
    }),
    to: t.field({
      type: 'DateTime',
      description: 'The end of the range, exclusive.',
      resolve: ({ to }) => new Date(to),
    }),
    timeZone: t.exposeString('timeZone', { description: 'The IANA time zone of days, weeks, months and quarters.' }),
    currency: t.field({
      type: 'Currency',
      description:
        'The currency of sales, refunds and amounts, as a lower-case ISO 4217 code. Other currencies are not counted.',
      resolve: ({ query }) => query.currency,
    }),
    totals: t.field({
      type: AnalyticsTotalsType,
      complexity: costOfReport,
      description: 'The totals of the time range.',
      resolve: async (analytics, _args, ctx) => {
        const totals = await readTotals(programScope(ctx), analytics)
        return { totals, currency: analytics.query.currency }
      },
    }),
    comparison: t.field({
      type: AnalyticsTotalsType,
      complexity: costOfReport,
      description:
        'The totals of the time that the range is compared with. If the range is not over, only the same part of that time counts.',
      args: {
        compareTo: t.arg({
          type: AnalyticsComparisonEnum,
          required: true,
          description: 'The time that the range is compared with.',
        }),
        interval: t.arg({
          type: AnalyticsIntervalEnum,
          required: true,
          defaultValue: 'day',
          description: 'The interval in which the range is measured, as that of the time series beside it.',
        }),
      },
      resolve: async (analytics, args, ctx) => ({
        totals: await readComparedTotals(programScope(ctx), analytics, args),
        currency: analytics.query.currency,
      }),
    }),
    timeSeries: t.field({
      type: TimeSeriesType,
      complexity: costOfSeries,
      description: 'A metric over time: one point for each interval that overlaps the range, at most 1,000.',
      args: { ...seriesArgs, ...groupArgs },
      resolve: (analytics, args, ctx) => readSeriesByGroup(programScope(ctx), analytics, args),
    }),
    top: t.field({
      type: [RankedItemType],
      complexity: costOfReport,
      description:
        'A ranking by a metric, largest first. Entries without a value are left out. Currencies are ranked by the number of events, because amounts in different currencies cannot be compared.',
      args: {
        by: t.arg({ type: AnalyticsMetricEnum, required: true, description: 'The metric to rank by.' }),
        dimension: t.arg({ type: AnalyticsDimensionEnum, required: true, description: 'The dimension to rank.' }),
        limit: t.arg.int({ required: true, defaultValue: 10, description: 'The number of entries, from 1 to 100.' }),
        minimum: t.arg.int({
          required: true,
          defaultValue: 1,
          description:
            'For rates and averages: entries with a smaller `base` are left out, because their values are chance.',
        }),
      },
      resolve: (analytics, args, ctx) => readTop(programScope(ctx), analytics, args),
    }),
    funnel: t.field({
      type: [FunnelType],
      complexity: costOfReport,
      description:
        'The funnel from visitors to sales: one for the program, or one for each value of a dimension (the 100 with the most visitors).',
      args: {
        by: t.arg({
          type: AnalyticsDimensionEnum,
          description: 'The dimension to group by; the currency is not allowed. Default: one funnel for all.',
        }),
      },
      resolve: (analytics, { by }, ctx) => readFunnel(programScope(ctx), analytics, by),
    }),
    subs: t.field({
      type: [SubReportType],
      complexity: costOfReport,
      description:
        'What the sub-ids of affiliates brought (`?via=ada&sub=video-12`), the most visitors first. It reads every referral with a sub-id that matches the filters.',
      args: { limit: t.arg.int(subLimit) },
      resolve: (analytics, { limit }, ctx) => readBySub(programScope(ctx), analytics, limit),
    }),
    cohorts: t.field({
      type: [CohortType],
      complexity: costOfReport,
      description:
        'Customers grouped by the month of their first sale in the currency, for each month that overlaps the range up to now, at most 60. Only sales in the currency count. With filters, this reads every sale that matches.',
      args: {
        by: t.arg({
          type: CohortIntervalEnum,
          required: true,
          defaultValue: 'month',
          description: 'The interval by which customers are grouped.',
        }),
      },
      resolve: (analytics, _args, ctx) => readCohorts(programScope(ctx), analytics),
    }),
    customerCohorts: t.field({
      type: [CustomerCohortType],
      complexity: costOfReport,
      description:
        'As `cohorts`, but of the sales in all currencies: each customer is once, by the first sale in any. `currency` does not apply.',
      resolve: (analytics, _args, ctx) => readCohorts(programScope(ctx), analytics, null),
    }),
    liability: t.field({
      type: [LiabilityType],
      complexity: costOfReport,
      description:
        "What is owed to affiliates now, for each currency: the program's first, then by code. The range and `currency` do not apply.",
      resolve: (analytics, _args, ctx) => readLiability(programScope(ctx), analytics),
    }),
  }),
})

builder.queryField('analytics', (t) =>
  t.field({
    type: AnalyticsType,
    complexity: costOfRange,
    description:
      "Analytics of the program over a time range. The numbers are always exact. Each event is counted at the time when it happened, by the program's clock.",
    args: {
      ...rangeArgs,
      where: t.arg({
        type: AnalyticsWhereInput,
        description: 'Counts only what matches these filters. Default: everything.',
      }),
    },
    resolve: (_root, args, ctx) => openAnalytics(programScope(ctx), args),
  }),
)
