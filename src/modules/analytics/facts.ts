import { Prisma } from '../../generated/prisma/client.ts'
import { hasCurrency, type Kind } from './metrics.ts'
import type { Span } from './range.ts'
import { type Edge, grains, partsOf, spansOf } from './segments.ts'
import { conditionsOf, needsSource, type Where } from './where.ts'

export type Dimension = 'campaign' | 'affiliate' | 'source' | 'coupon' | 'currency'
type Key = Dimension | 'affiliate and currency'

export type FactsQuery = {
  programId: string
  /** Only facts of money in this currency. Null: in every currency. */
  currency: string | null
  where: Where
  /** What `key` is. That of an affiliate and a currency is the id, followed by the code. */
  dimension?: Key | undefined
  /** Only these values of the dimension. */
  keys?: readonly string[]
  /** Commissions with a due date up to this time are due. */
  now: Date
}

const columns: Record<Key, Prisma.Sql> = {
  campaign: Prisma.sql`campaign_id`,
  affiliate: Prisma.sql`affiliate_id`,
  source: Prisma.sql`link_id`,
  coupon: Prisma.sql`coupon_id`,
  currency: Prisma.sql`currency`,
  'affiliate and currency': Prisma.sql`affiliate_id::text || currency`,
}

/**
 * A query for sums of facts in consecutive spans: rows of `bucket` (the span's index), `kind`, `key` (of the
 * dimension), `count` and `amount`, to be added up. Whole rollup rows and their unfolded deltas cover segments; facts
 * cover the edges. It is one statement, so it counts every committed write exactly once.
 */
export function sumsOf(query: FactsQuery, kinds: readonly Kind[], spans: readonly Span[]): Prisma.Sql {
  const end = query.now.getTime() + 1
  const elapsed = spans.map(({ from, to }) => ({ from, to: Math.min(to, end) }))
  const others = kinds.filter((kind) => kind !== 'due')
  const parts = [
    ...(others.length > 0 ? sums(query, others, spans) : []),
    ...(kinds.includes('due') ? sums(query, ['due'], elapsed) : []),
  ]
  const nothing = Prisma.sql`select 0 as bucket, null::analytics_kind as kind, null as key, 0 as count, 0 as amount where false`
  return Prisma.join([nothing, ...parts], ' union all ')
}

function sums(query: FactsQuery, kinds: readonly Kind[], spans: readonly Span[]): Prisma.Sql[] {
  const bySource = needsSource(query.where) || ['affiliate', 'source', 'coupon'].includes(query.dimension ?? '')
  const rollup = bySource ? Prisma.sql`analytics_by_source` : Prisma.sql`analytics_by_campaign`
  const { segments, regions, edges } = partsOf(spans, bySource ? ['year', 'month', 'day'] : grains)
  const id = query.dimension ? columns[query.dimension] : Prisma.sql`null`
  const conditions = Prisma.join(
    [
      Prisma.sql`program_id = ${query.programId}::uuid`,
      // Literals instead of parameters, so that the planner can skip the tables of other kinds.
      Prisma.sql`kind in (${Prisma.raw(kinds.map((kind) => `'${kind}'`).join(', '))})`,
      ...(query.currency === null || !kinds.some(hasCurrency) ? [] : [Prisma.sql`currency in ('', ${query.currency})`]),
      ...conditionsOf(query.where),
      ...(query.keys ? [Prisma.sql`${id} = any(${[...query.keys]}::uuid[])`] : []),
    ],
    ' and ',
  )
  const amount = kinds.some(hasCurrency) ? Prisma.sql`sum(amount)` : Prisma.sql`0`
  const parts: Prisma.Sql[] = []
  const [first, last] = [regions[0], regions.at(-1)]
  if (first && last) {
    const table = tableOf(
      segments.map(({ bucket, grain, sign, from, to }) => ({ ...times({ from, to }), bucket, grain, sign })),
    )
    parts.push(Prisma.sql`
      select bucket, kind, key, count * sign as count, amount * sign as amount
      from (${table}) segments cross join lateral (
        select kind, ${id} as key, sum(count) as count, ${amount} as amount from ${rollup}
        where ${conditions} and grain = segments.grain and start >= segments."from" and start < segments."to"
        group by 1, 2
      ) whole`)
    parts.push(
      placed(
        Prisma.sql`select start as at, kind, ${id} as key, count, amount from analytics_deltas
          where ${conditions} and start >= ${time(first.from)} and start < ${time(last.to)}`,
        regions.map(({ from, to, bucket }) => ({ from, to, of: [{ bucket, sign: 1 }] })),
      ),
    )
  }
  const factsIn = (from: Prisma.Sql, to: Prisma.Sql) => Prisma.sql`
    select at, kind, ${id} as key, count, amount from analytics_facts
    where ${conditions} and at >= ${from} and at < ${to}`
  if (edges.length > 0) parts.push(placed(query.keys ? ofEach(edges, factsIn) : ofSpans(edges, factsIn), edges))
  return parts
}

type FactsIn = (from: Prisma.Sql, to: Prisma.Sql) => Prisma.Sql

/** The facts of a few spans that cover the edges. Facts of one affiliate are few, wherever they are. */
const ofSpans = (edges: readonly Edge[], factsIn: FactsIn): Prisma.Sql => {
  const spans = spansOf(edges).map(({ from, to }) => factsIn(time(from), time(to)))
  return Prisma.join(spans, ' union all ')
}

/**
 * The facts of each edge by itself. The largest groups have most of the facts, so nothing between the edges is read:
 * `offset 0` keeps PostgreSQL from joining before it has limited the time.
 */
const ofEach = (edges: readonly Edge[], factsIn: FactsIn): Prisma.Sql => {
  const table = tableOf(edges.map(({ from, to }) => times({ from, to })))
  const facts = factsIn(Prisma.sql`edges."from"`, Prisma.sql`edges."to"`)
  return Prisma.sql`select single.* from (${table}) edges cross join lateral (${facts} offset 0) single`
}

/** Puts rows into the buckets of the place that they are in. Places are in order, and do not overlap. */
function placed(rows: Prisma.Sql, places: readonly Edge[]): Prisma.Sql {
  const starts = places.map(({ from }) => new Date(from))
  const table = tableOf(
    places.flatMap(({ from, to, of }, index) =>
      of.map((bucket) => ({ ...times({ from, to }), ...bucket, n: index + 1 })),
    ),
  )
  return Prisma.sql`(
    with starts as materialized (
      select array_agg(start::timestamptz order by n) as starts
      from jsonb_array_elements_text(${JSON.stringify(starts)}::jsonb) with ordinality starts(start, n)
    )
    select bucket, kind, key, count * sign as count, amount * sign as amount
    from (select width_bucket(at, (select starts from starts)) as n, * from (${rows}) single) single
      join (${table}) places using (n)
    where at < "to"
  )`
}

const time = (ms: number) => Prisma.sql`${new Date(ms)}::timestamptz`
const times = ({ from, to }: Span) => ({ from: new Date(from), to: new Date(to) })

const tableOf = (rows: readonly object[]): Prisma.Sql => Prisma.sql`
  select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as rows(n int, bucket int, sign int, grain analytics_grain, "from" timestamptz, "to" timestamptz)`
