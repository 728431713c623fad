import { Prisma } from '../../generated/prisma/client.ts'
import { hasCurrency, type Kind } from './metrics.ts'
import type { Span } from './range.ts'
import { edgesOf, grains, type Segment, segmentsOf } from './segments.ts'
import { conditionsOf, needsSource, type Where } from './where.ts'

export type Dimension = 'campaign' | 'affiliate' | 'link' | 'coupon' | 'currency'

export type FactsQuery = {
  programId: string
  /** Only facts of money in this currency. Null: in every currency. */
  currency: string | null
  where: Where
  /** The dimension to group by. */
  dimension?: Dimension | undefined
  /** Commissions with a due date up to this time are due. */
  now: Date
}

const columns: Record<Dimension, Prisma.Sql> = {
  campaign: Prisma.sql`campaign_id`,
  affiliate: Prisma.sql`affiliate_id`,
  link: Prisma.sql`link_id`,
  coupon: Prisma.sql`coupon_id`,
  currency: Prisma.sql`currency`,
}

/**
 * A query for the sums of facts in consecutive spans of time. Its rows have `bucket` (the index of the span), `kind`, `key`
 * (of the dimension), `count` and `amount`, and have to be added up. Segments of whole rollup rows are read from the rollup
 * and from the deltas that are not folded into it yet; the edges are read from the facts themselves. It is one statement,
 * so it sees every committed write exactly once.
 */
export function sumsOf(query: FactsQuery, kinds: readonly Kind[], spans: readonly Span[]): Prisma.Sql {
  const end = query.now.getTime() + 1
  const elapsed = spans.map(({ from, to }) => ({ from, to: Math.min(to, end) }))
  const others = kinds.filter((kind) => kind !== 'due')
  const parts = [
    ...(others.length > 0 ? sums(query, others, spans) : []),
    ...(kinds.includes('due') ? sums(query, ['due'], elapsed) : []),
  ]
  const nothing = Prisma.sql`select 0 as bucket, null::analytics_kind as kind, null::text as key, 0 as count, 0 as amount where false`
  return Prisma.join([nothing, ...parts], ' union all ')
}

function sums(query: FactsQuery, kinds: readonly Kind[], spans: readonly Span[]): Prisma.Sql[] {
  const bySource = needsSource(query.where) || ['affiliate', 'link', 'coupon'].includes(query.dimension ?? '')
  const rollup = bySource ? Prisma.sql`analytics_by_source` : Prisma.sql`analytics_by_campaign`
  const segments = segmentsOf(spans, bySource ? ['month', 'day'] : grains)
  const [first, last] = [segments[0], segments.at(-1)]
  if (!first || !last) return []

  const key = query.dimension ? Prisma.sql`${columns[query.dimension]}::text` : Prisma.sql`null::text`
  const conditions = Prisma.join(
    [
      Prisma.sql`program_id = ${query.programId}::uuid`,
      // Literals instead of parameters, so that the planner can skip the tables of other kinds.
      Prisma.sql`kind in (${Prisma.raw(kinds.map((kind) => `'${kind}'`).join(', '))})`,
      ...(query.currency === null || !kinds.some(hasCurrency) ? [] : [Prisma.sql`currency in ('', ${query.currency})`]),
      ...conditionsOf(query.where),
    ],
    ' and ',
  )
  const between = (span: Span) =>
    Prisma.sql`${new Date(span.from)}::timestamptz and at < ${new Date(span.to)}::timestamptz`
  const edges = edgesOf(segments).map(
    (span) => Prisma.sql`
      select at, kind, ${key} as key, count, amount from analytics_facts where ${conditions} and at >= ${between(span)}`,
  )
  return [
    Prisma.sql`(
      with segments as materialized (${segmentsTable(segments)}),
      starts as materialized (select array_agg("from" order by n) as starts from segments),
      rest as (
        select start as at, false as is_edge, kind, ${key} as key, count, amount from analytics_deltas
        where ${conditions} and start >= ${new Date(first.from)}::timestamptz and start < ${new Date(last.to)}::timestamptz
        ${edges.length > 0 ? Prisma.sql`union all select at, true, kind, key, count, amount from (${Prisma.join(edges, ' union all ')}) edges` : Prisma.empty}
      )
      select bucket, kind, key, count, amount
      from segments cross join lateral (
        select kind, ${key} as key, sum(count) as count, sum(amount) as amount from ${rollup}
        where ${conditions} and grain = segments.grain and start >= segments."from" and start < segments."to"
        group by 1, 2
      ) whole
      where grain is not null
      union all
      select bucket, kind, key, count, amount
      from (select width_bucket(at, (select starts from starts)) as n, * from rest) rest
        join segments using (n)
      where is_edge = (grain is null) and at < "to"
    )`,
  ]
}

const segmentsTable = (segments: readonly Segment[]): Prisma.Sql => {
  const rows = segments.map(({ bucket, grain, from, to }, index) => {
    return { n: index + 1, bucket, grain, from: new Date(from), to: new Date(to) }
  })
  return Prisma.sql`
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as segments(n int, bucket int, grain analytics_grain, "from" timestamptz, "to" timestamptz)`
}
