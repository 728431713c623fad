import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { giveWay, inSlices } from '../../kernel/slices.ts'
import { readSubsOfAffiliates } from './by-sub.ts'
import { AnalyticsTotalsType } from './graphql.ts'
import { SubReportType, subLimit } from './graphql-by-sub.ts'
import { costOfAffiliateReport, costOfAffiliateSeries, costOfRange } from './graphql-costs.ts'
import { rangeArgs, seriesArgs } from './graphql-inputs.ts'
import { TimeSeriesType } from './graphql-series.ts'
import { readTimeSeriesBy, type SeriesArgs } from './series.ts'
import { type Analytics, openAnalytics } from './service.ts'
import { readTotalsBy } from './totals.ts'

/** `affiliateId` lets graphql/access.ts check that an affiliate token belongs to this affiliate. */
type AnalyticsOfAffiliate = Analytics & { programId: string; affiliateId: string }

/** The query for several affiliates at once, grouped by affiliate. */
const ofAffiliates = (analytics: AnalyticsOfAffiliate, affiliateIds: readonly string[]): Analytics => ({
  ...analytics,
  query: { ...analytics.query, where: { affiliateIds }, dimension: 'affiliate' },
})

const keyOf = (name: string, { from, to, timeZone, query: { currency } }: AnalyticsOfAffiliate, more: object = {}) =>
  JSON.stringify([name, from, to, timeZone, currency, more])

/** A page of affiliates takes as many statements as one affiliate. */
const totalsOf = (ctx: GraphQLContext, analytics: AnalyticsOfAffiliate) =>
  batched(ctx, keyOf('totals', analytics), analytics.affiliateId, async (ids) =>
    ids.map(await readTotalsBy(programScope(ctx), ofAffiliates(analytics, ids))),
  )

async function seriesOf(ctx: GraphQLContext, analytics: AnalyticsOfAffiliate, args: SeriesArgs) {
  const series = await batched(ctx, keyOf('series', analytics, args), analytics.affiliateId, async (ids) => {
    const ofAffiliate = await readTimeSeriesBy(programScope(ctx), ofAffiliates(analytics, ids), args)
    return inSlices(ids, (slice) => slice.map(ofAffiliate))
  })
  // The series of all affiliates of a page arrive at once.
  await giveWay()
  return series
}

const subsOf = (ctx: GraphQLContext, analytics: AnalyticsOfAffiliate, limit: number) =>
  batched(ctx, keyOf('subs', analytics, { limit }), analytics.affiliateId, async (ids) =>
    ids.map(await readSubsOfAffiliates(programScope(ctx), ofAffiliates(analytics, ids), limit)),
  )

const AffiliateAnalyticsType = builder.objectRef<AnalyticsOfAffiliate>('AffiliateAnalytics').implement({
  description: 'Analytics of one affiliate over a time range. Only the selected fields are computed.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.field({
      forAffiliate: true,
      type: 'DateTime',
      description: 'The start of the range, inclusive.',
      resolve: ({ from }) => new Date(from),
    }),
    to: t.field({
      forAffiliate: true,
      type: 'DateTime',
      description: 'The end of the range, exclusive.',
      resolve: ({ to }) => new Date(to),
    }),
    timeZone: t.exposeString('timeZone', {
      forAffiliate: true,
      description: 'The IANA time zone of days, weeks, months and quarters.',
    }),
    currency: t.field({
      forAffiliate: true,
      type: 'Currency',
      description:
        'The currency of sales, refunds and amounts, as a lower-case ISO 4217 code. Other currencies are not counted.',
      resolve: ({ query }) => query.currency,
    }),
    totals: t.field({
      forAffiliate: true,
      type: AnalyticsTotalsType,
      complexity: costOfAffiliateReport,
      description: 'The totals of the time range.',
      resolve: async (analytics, _args, ctx) => ({
        totals: await totalsOf(ctx, analytics),
        currency: analytics.query.currency,
      }),
    }),
    timeSeries: t.field({
      forAffiliate: { args: ['metric', 'interval', 'compareTo'] },
      type: TimeSeriesType,
      complexity: costOfAffiliateSeries,
      description: 'A metric over time: one point for each interval that overlaps the range, at most 1,000.',
      args: seriesArgs,
      resolve: (analytics, args, ctx) => seriesOf(ctx, analytics, args),
    }),
    subs: t.field({
      forAffiliate: { args: ['limit'] },
      type: [SubReportType],
      complexity: costOfAffiliateReport,
      description: 'What the sub-ids of the affiliate brought (`?via=ada&sub=video-12`), the most visitors first.',
      args: { limit: t.arg.int(subLimit) },
      resolve: (analytics, { limit }, ctx) => subsOf(ctx, analytics, limit),
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'analytics', (t) =>
  t.field({
    type: AffiliateAnalyticsType,
    complexity: costOfRange,
    forAffiliate: { args: ['range', 'timeZone', 'currency'] },
    subGraphs: publicOnly,
    description:
      'Analytics of this affiliate over a time range. The numbers are always exact. The root field `analytics` offers more.',
    args: rangeArgs,
    resolve: async ({ programId, id }, args, ctx) => ({
      ...(await openAnalytics(programScope(ctx), args)),
      programId,
      affiliateId: id,
    }),
  }),
)
