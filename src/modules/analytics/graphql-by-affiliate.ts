import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { AnalyticsTotalsType, rangeArgs, seriesArgs, TimeSeriesType } from './graphql.ts'
import { readTimeSeriesBy, type SeriesArgs } from './series.ts'
import { type Analytics, openAnalytics } from './service.ts'
import { readTotalsBy } from './totals.ts'

/** Whose numbers they are is held against the token that asks, as with any row: see access.ts. */
type Own = Analytics & { programId: string; affiliateId: string }

/** The question for several affiliates at once, each with an answer of their own. */
const ofAffiliates = (own: Own, affiliateIds: readonly string[]): Analytics => ({
  ...own,
  question: { ...own.question, where: { affiliateIds }, dimension: 'affiliate' },
})

const keyOf = (name: string, { from, to, timeZone, question: { currency } }: Own, more: object = {}) =>
  JSON.stringify([name, from, to, timeZone, currency, more])

/** A page of affiliates takes as many statements as one does. */
const totalsOf = (ctx: GraphQLContext, own: Own) =>
  batched(ctx, keyOf('totals', own), own.affiliateId, async (ids) =>
    ids.map(await readTotalsBy(programScope(ctx), ofAffiliates(own, ids))),
  )

const seriesOf = (ctx: GraphQLContext, own: Own, args: SeriesArgs) =>
  batched(ctx, keyOf('series', own, args), own.affiliateId, async (ids) =>
    ids.map(await readTimeSeriesBy(programScope(ctx), ofAffiliates(own, ids), args)),
  )

const AffiliateAnalyticsType = builder.objectRef<Own>('AffiliateAnalytics').implement({
  description: 'Numbers of one affiliate over a range of time. What is not asked for is not counted.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.field({
      forAffiliate: true,
      type: 'DateTime',
      description: 'The first moment that counts.',
      resolve: ({ from }) => new Date(from),
    }),
    to: t.field({
      forAffiliate: true,
      type: 'DateTime',
      description: 'The first moment that counts no more.',
      resolve: ({ to }) => new Date(to),
    }),
    timeZone: t.exposeString('timeZone', {
      forAffiliate: true,
      description: 'Days, weeks, months and quarters are of this zone.',
    }),
    currency: t.field({
      forAffiliate: true,
      type: 'Currency',
      description: 'ISO 4217, lower case: money, sales and refunds are of this one; currencies are never added up.',
      resolve: ({ question }) => question.currency,
    }),
    totals: t.field({
      forAffiliate: true,
      type: AnalyticsTotalsType,
      description: 'What all of the range comes to.',
      resolve: async (own, _args, ctx) => ({ totals: await totalsOf(ctx, own), currency: own.question.currency }),
    }),
    timeSeries: t.field({
      forAffiliate: { args: ['metric', 'interval', 'compareTo'] },
      type: TimeSeriesType,
      description: 'A metric over time: one point for each interval that the range touches, at most 1,000.',
      args: seriesArgs,
      resolve: (own, args, ctx) => seriesOf(ctx, own, args),
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'analytics', (t) =>
  t.field({
    type: AffiliateAnalyticsType,
    forAffiliate: { args: ['range', 'timeZone', 'currency'] },
    subGraphs: publicOnly,
    description:
      "The affiliate's numbers over a range of time, exact at every moment. `analytics` at the root has more.",
    args: rangeArgs,
    resolve: async ({ programId, id }, args, ctx) => ({
      ...(await openAnalytics(programScope(ctx), args)),
      programId,
      affiliateId: id,
    }),
  }),
)
