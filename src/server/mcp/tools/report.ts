import { z } from 'zod'
import type { Data } from '../marks.ts'
import { defineTool } from '../tool.ts'

const presets = [
  ...(['TODAY', 'YESTERDAY', 'LAST_7_DAYS', 'LAST_30_DAYS', 'LAST_90_DAYS', 'LAST_12_MONTHS'] as const),
  ...(['THIS_MONTH', 'LAST_MONTH', 'THIS_QUARTER', 'LAST_QUARTER', 'THIS_YEAR', 'LAST_YEAR'] as const),
] as const
const metrics = [
  ...([
    'VISITORS',
    'LEADS',
    'CONVERSIONS',
    'SALES',
    'SALES_AMOUNT',
    'AVERAGE_SALE',
    'REFUNDS',
    'REFUND_AMOUNT',
  ] as const),
  ...(['COMMISSION_ACCRUED', 'COMMISSION_DUE', 'COMMISSION_PAID', 'COMMISSION_VOID', 'EARNINGS_PER_CLICK'] as const),
  ...(['CONVERSION_RATE', 'REFUND_RATE'] as const),
] as const
const dimensions = ['AFFILIATE', 'CAMPAIGN', 'COUPON', 'LINK', 'SOURCE', 'CURRENCY'] as const
const intervals = ['DAY', 'WEEK', 'MONTH', 'QUARTER'] as const

const money = '{ amountCents currency }'
const totals = `visitors leads conversions sales refunds leadRate conversionRate refundRate
  ${[
    'salesAmount',
    'averageSale',
    'refundAmount',
    'commissionAccrued',
    'commissionDue',
    'commissionPaid',
    'commissionVoid',
    'earningsPerClick',
  ]
    .map((name) => `${name} ${money}`)
    .join(' ')}`

/** The reports by their names, as fields of `analytics`. */
const fields = {
  totals: `totals { ${totals} }`,
  comparison: `totals { ${totals} } before: comparison(compareTo: PREVIOUS_PERIOD, interval: $interval) { ${totals} }`,
  series: `timeSeries(metric: $metric, interval: $interval) { interval metric points { label start value money ${money} } }`,
  top: `top(by: $metric, dimension: $dimension, limit: $limit, minimum: 0) { rank subjectId label value money ${money} }`,
  funnel: 'funnel(by: $dimension) { subjectId label visitors leads conversions sales leadRate conversionRate }',
  liability: `liability { currency owed ${money} due ${money} pending ${money} held ${money} }`,
  cohorts: `cohorts(by: MONTH) { month customers salesAmount ${money} }`,
  subs: `subs(limit: $limit) { sub visitors leads conversions sales salesAmount ${money} commission ${money} }`,
} as const

const names = ['totals', 'comparison', 'series', 'top', 'funnel', 'liability', 'cohorts', 'subs'] as const

const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-01T00:00:00Z' })

const types: Record<string, string> = {
  metric: 'AnalyticsMetric!',
  interval: 'AnalyticsInterval!',
  dimension: 'AnalyticsDimension!',
  limit: 'Int!',
}

export const report = defineTool({
  name: 'report',
  title: 'Read a report',
  description:
    'Reads analytics: `totals` of a range, `comparison` with the period before, `series` of a metric, `top` of a dimension, `funnel`, `liability` (what is owed now, whatever the range; `owed` is `due` and `pending`, without `held`), `cohorts`, `subs` (sub-ids).',
  audience: 'program',
  input: z.object({
    report: z.enum(names).default('totals').describe('Which report.'),
    range: z
      .strictObject({
        preset: z.enum(presets).optional(),
        from: time.optional(),
        to: time.optional(),
      })
      .default({ preset: 'LAST_30_DAYS' })
      .describe('A preset, or from (inclusive) and to (exclusive).'),
    where: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('An `AnalyticsWhere`: `{"campaignId": {"equals": "…"}}`.'),
    currency: z.string().length(3).optional().describe('Of the amounts. Default: that of the program.'),
    timeZone: z.string().max(100).optional().describe('IANA name. Default: that of the program.'),
    metric: z.enum(metrics).default('SALES_AMOUNT').describe('For `series` and `top`.'),
    interval: z.enum(intervals).default('MONTH').describe('For `series` and `comparison`.'),
    dimension: z.enum(dimensions).default('AFFILIATE').describe('For `top` and `funnel`.'),
    limit: z.number().int().min(1).max(50).default(10).describe('For `top` and `subs`.'),
  }),
  output: {
    from: z.string().optional().describe('The range. `liability` has none.'),
    to: z.string().optional(),
    report: z.string(),
    data: z
      .union([z.array(z.looseObject({})), z.looseObject({})])
      .describe('The report. `comparison` has `totals` of the range and of the time `before` it.'),
    url: z.string(),
  },
  async run(call, { report: name, range, where, currency, timeZone, ...args }) {
    const field = fields[name]
    const used = Object.keys(types).filter((variable) => field.includes(`$${variable}`))
    const declared = used.map((variable) => `, $${variable}: ${types[variable]}`).join('')
    const query = `query Report($range: AnalyticsRange!, $where: AnalyticsWhere, $currency: Currency, $timeZone: String${declared}) {
      analytics(range: $range, where: $where, currency: $currency, timeZone: $timeZone) { from to currency timeZone data: ${field} }
    }`
    const zone = timeZone ?? call.context.namedProgram?.timeZone
    const { analytics } = await call.ask(query, { range, where, currency, timeZone: zone, ...pick(args, used) })
    const { from, to, currency: of, timeZone: inZone, data, before } = analytics
    return {
      report: name,
      ...(name !== 'liability' && { from, to }),
      currency: of,
      timeZone: inZone,
      data: rounded(before ? { totals: data, before } : data),
      url: call.page('analytics'),
    }
  },
})

/** Rates have 16 digits, which nobody reads. */
const rounded = (data: Data): Data =>
  JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'number' ? Number(value.toFixed(6)) : value)))

const pick = (args: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, args[name]]))
