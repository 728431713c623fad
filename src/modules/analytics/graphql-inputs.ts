import { builder, publicOnly } from '../../graphql/builder.ts'
import { IDFilter } from '../../graphql/filters.ts'
import { whereOf } from '../../graphql/where.ts'
import { affiliateListing } from '../affiliates/listing.ts'
import { campaignListing } from '../campaigns/listing.ts'
import {
  AnalyticsComparisonEnum,
  AnalyticsDimensionEnum,
  AnalyticsIntervalEnum,
  AnalyticsMetricEnum,
  RangePresetEnum,
} from './graphql-enums.ts'
import { defaultGroups, maxGroups } from './series-by-group.ts'

export const AnalyticsRangeInput = builder.inputType('AnalyticsRange', {
  description: 'A time range: either `preset`, or both `from` and `to`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    preset: t.field({
      type: RangePresetEnum,
      description: 'A range relative to now, in the time zone of the query. Cannot be combined with `from` and `to`.',
    }),
    from: t.field({ type: 'DateTime', description: 'The start of the range, inclusive.' }),
    to: t.field({ type: 'DateTime', description: 'The end of the range, exclusive.' }),
  }),
})

export const AnalyticsWhereInput = builder.inputType('AnalyticsWhere', {
  description: 'Filters for analytics. All given filters must match.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateId: t.field({ type: IDFilter, description: 'The affiliate.' }),
    campaignId: t.field({ type: IDFilter, description: 'The campaign of the referral.' }),
    linkId: t.field({
      type: IDFilter,
      description: 'The link that the referral came through. Null matches referrals without a link.',
    }),
    couponId: t.field({
      type: IDFilter,
      description: 'The coupon that created the referral. Null matches referrals without a coupon.',
    }),
    affiliate: t.field({
      type: whereOf(affiliateListing),
      description:
        'Affiliates that match these conditions, at most 10,000. The conditions are those of the list of affiliates.',
    }),
    campaign: t.field({
      type: whereOf(campaignListing),
      description:
        'Campaigns that match these conditions, at most 10,000. The conditions are those of the list of campaigns.',
    }),
  }),
})

export const seriesArgs = builder.args((t) => ({
  metric: t.field({ type: AnalyticsMetricEnum, required: true, description: 'The metric.' }),
  interval: t.field({
    type: AnalyticsIntervalEnum,
    required: true,
    defaultValue: 'day',
    description: 'The interval of each point.',
  }),
  compareTo: t.field({ type: AnalyticsComparisonEnum, description: 'Compares each point with an earlier interval.' }),
}))

export const groupArgs = builder.args((t) => ({
  groupBy: t.field({
    type: AnalyticsDimensionEnum,
    description: 'Also returns a series for each of the largest values of this dimension. The currency is not allowed.',
  }),
  top: t.int({
    description: `The number of groups with a series of their own, from 1 to ${maxGroups}; the others are one more series. Default: ${defaultGroups}.`,
  }),
}))

export const rangeArgs = builder.args((t) => ({
  range: t.field({ type: AnalyticsRangeInput, required: true, description: 'The time range.' }),
  timeZone: t.string({
    description: 'The IANA time zone of days, weeks, months and quarters, such as Europe/Berlin. Default: UTC.',
  }),
  currency: t.field({
    type: 'Currency',
    description: "The currency of sales, refunds and amounts, as an ISO 4217 code. Default: the program's currency.",
  }),
}))
