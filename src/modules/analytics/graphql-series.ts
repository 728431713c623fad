import { builder, publicOnly } from '../../graphql/builder.ts'
import { MoneyType, moneyOf } from '../../graphql/money.ts'
import { costOfPoints } from './graphql-costs.ts'
import { AnalyticsIntervalEnum, AnalyticsMetricEnum } from './graphql-enums.ts'
import { subjectFields } from './graphql-subject.ts'
import type { Point, SeriesGroup, TimeSeries } from './series.ts'

const TimeSeriesPointType = builder.objectRef<Point>('TimeSeriesPoint').implement({
  description:
    'The value of a metric in one interval. The first and the last interval count only their part of the range.',
  subGraphs: publicOnly,
  fields: (t) => ({
    start: t.expose('start', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'The start of the interval in the time zone of the query.',
    }),
    label: t.exposeString('label', {
      forAffiliate: true,
      description: 'A label for the interval: 2026-03-10, 2026-W11, 2026-03 or 2026-Q1.',
    }),
    value: t.float({
      forAffiliate: true,
      nullable: true,
      description: 'The value of a count or rate. Null for an amount of money, and for a rate whose divisor is 0.',
      resolve: ({ amount }) => amount.value,
    }),
    money: t.field({
      forAffiliate: true,
      type: MoneyType,
      nullable: true,
      description: 'The value of an amount of money. Null for a count or rate, and for an average of nothing.',
      resolve: ({ amount, currency }) => moneyOf(amount.cents, currency),
    }),
    comparison: t.float({
      forAffiliate: true,
      nullable: true,
      description: '`value` in the interval that the point is compared with. Null without `compareTo`.',
      resolve: ({ comparison }) => comparison?.value ?? null,
    }),
    comparisonMoney: t.field({
      forAffiliate: true,
      type: MoneyType,
      nullable: true,
      description: '`money` in the interval that the point is compared with. Null without `compareTo`.',
      resolve: ({ comparison, currency }) => moneyOf(comparison?.cents ?? null, currency),
    }),
  }),
})

const TimeSeriesGroupType = builder.objectRef<SeriesGroup>('TimeSeriesGroup').implement({
  description: 'The values of a metric over time for one affiliate, campaign, link or coupon, or for the rest.',
  subGraphs: publicOnly,
  fields: (t) => ({
    ...subjectFields(t, {
      id: 'The id of the affiliate, campaign, link or coupon. Null for the rest.',
      label: 'The name of the affiliate or campaign, or the token of the link or coupon; `other` for the rest.',
    }),
    isRest: t.exposeBoolean('isRest', {
      description:
        'Whether this is the series of everything else: the smaller groups, and what has no link or coupon. It comes last, and is left out if there is nothing else.',
    }),
    points: t.expose('points', {
      type: [TimeSeriesPointType],
      complexity: costOfPoints,
      description: 'One point for each interval, in order.',
    }),
  }),
})

export const TimeSeriesType = builder.objectRef<TimeSeries>('TimeSeries').implement({
  description: 'The values of a metric over time, without gaps.',
  subGraphs: publicOnly,
  fields: (t) => ({
    metric: t.expose('metric', { forAffiliate: true, type: AnalyticsMetricEnum, description: 'The metric.' }),
    interval: t.expose('interval', {
      forAffiliate: true,
      type: AnalyticsIntervalEnum,
      description: 'The length of the interval of each point.',
    }),
    points: t.expose('points', {
      forAffiliate: true,
      type: [TimeSeriesPointType],
      complexity: costOfPoints,
      description: 'One point for each interval, in order.',
    }),
    groups: t.expose('groups', {
      type: [TimeSeriesGroupType],
      complexity: costOfPoints,
      description:
        'With `groupBy`, a series for each of the groups with the largest values in the range, largest first, then the rest. Rates and averages are ranked by their dividend: a conversion rate by conversions. Counts and amounts of the groups add up to `points`. Else empty.',
    }),
  }),
})
