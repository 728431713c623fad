import { Prisma } from '../../generated/prisma/client.ts'
import { hasCurrency, type Kind } from './metrics.ts'
import { edgesOf, grains, type Piece, piecesOf } from './pieces.ts'
import type { Span } from './range.ts'
import { conditionsOf, isOfSource, type Where } from './where.ts'

export type Dimension = 'campaign' | 'affiliate' | 'link' | 'coupon' | 'currency'

export type Question = {
  programId: string
  /** Facts of money only in this currency; null: in every one. */
  currency: string | null
  where: Where
  /** By what the sums are kept apart. */
  dimension?: Dimension | undefined
  /** What has become due by then is due; the rest is not yet. */
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
 * The sums of facts in spans of time that follow on each other: a query for rows of `bucket` (the number of the span),
 * `kind`, `key` (of the dimension), `count` and `amount`, to be added up. Whole pieces of time come from a rollup and
 * from what is not folded into it yet, the edges from the rows themselves, all in one statement: it sees every write
 * that was acknowledged before, once.
 */
export function sumsOf(question: Question, kinds: readonly Kind[], spans: readonly Span[]): Prisma.Sql {
  const end = question.now.getTime() + 1
  const passed = spans.map(({ from, to }) => ({ from, to: Math.min(to, end) }))
  const others = kinds.filter((kind) => kind !== 'due')
  const parts = [
    ...(others.length > 0 ? sums(question, others, spans) : []),
    ...(kinds.includes('due') ? sums(question, ['due'], passed) : []),
  ]
  const nothing = Prisma.sql`select 0 as bucket, null::analytics_kind as kind, null::text as key, 0 as count, 0 as amount where false`
  return Prisma.join([nothing, ...parts], ' union all ')
}

function sums(question: Question, kinds: readonly Kind[], spans: readonly Span[]): Prisma.Sql[] {
  const bySource = isOfSource(question.where) || ['affiliate', 'link', 'coupon'].includes(question.dimension ?? '')
  const rollup = bySource ? Prisma.sql`analytics_by_source` : Prisma.sql`analytics_by_campaign`
  const pieces = piecesOf(spans, bySource ? ['month', 'day'] : grains)
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (!first || !last) return []

  const key = question.dimension ? Prisma.sql`${columns[question.dimension]}::text` : Prisma.sql`null::text`
  const conditions = Prisma.join(
    [
      Prisma.sql`program_id = ${question.programId}::uuid`,
      // Written out, so that the planner leaves away the tables of other kinds.
      Prisma.sql`kind in (${Prisma.raw(kinds.map((kind) => `'${kind}'`).join(', '))})`,
      ...(question.currency === null || !kinds.some(hasCurrency)
        ? []
        : [Prisma.sql`currency in ('', ${question.currency})`]),
      ...conditionsOf(question.where),
    ],
    ' and ',
  )
  const between = (span: Span) =>
    Prisma.sql`${new Date(span.from)}::timestamptz and at < ${new Date(span.to)}::timestamptz`
  const edges = edgesOf(pieces).map(
    (span) => Prisma.sql`
      select at, kind, ${key} as key, count, amount from analytics_facts where ${conditions} and at >= ${between(span)}`,
  )
  return [
    Prisma.sql`(
      with pieces as materialized (${piecesTable(pieces)}),
      starts as materialized (select array_agg("from" order by n) as starts from pieces),
      rest as (
        select start as at, false as is_edge, kind, ${key} as key, count, amount from analytics_deltas
        where ${conditions} and start >= ${new Date(first.from)}::timestamptz and start < ${new Date(last.to)}::timestamptz
        ${edges.length > 0 ? Prisma.sql`union all select at, true, kind, key, count, amount from (${Prisma.join(edges, ' union all ')}) edges` : Prisma.empty}
      )
      select bucket, kind, key, count, amount
      from pieces cross join lateral (
        select kind, ${key} as key, sum(count) as count, sum(amount) as amount from ${rollup}
        where ${conditions} and grain = pieces.grain and start >= pieces."from" and start < pieces."to"
        group by 1, 2
      ) whole
      where grain is not null
      union all
      select bucket, kind, key, count, amount
      from (select width_bucket(at, (select starts from starts)) as n, * from rest) rest
        join pieces using (n)
      where is_edge = (grain is null) and at < "to"
    )`,
  ]
}

const piecesTable = (pieces: readonly Piece[]): Prisma.Sql => {
  const rows = pieces.map(({ bucket, grain, from, to }, index) => {
    return { n: index + 1, bucket, grain, from: new Date(from), to: new Date(to) }
  })
  return Prisma.sql`
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as pieces(n int, bucket int, grain analytics_grain, "from" timestamptz, "to" timestamptz)`
}
