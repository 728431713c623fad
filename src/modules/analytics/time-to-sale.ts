import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import type { Dimension } from './facts.ts'
import { type DimensionValue, readDimensionValues } from './labels.ts'
import { demandRankable } from './ranking.ts'
import type { Analytics } from './service.ts'
import { conditionsOf } from './where.ts'

export type TimeToSale = DimensionValue & {
  conversions: number
  lowerQuartile: number | null
  median: number | null
  upperQuartile: number | null
}

const columns: Partial<Record<Dimension, Prisma.Sql>> = {
  affiliate: Prisma.sql`affiliate_id`,
  campaign: Prisma.sql`campaign_id`,
  source: Prisma.sql`link_id`,
}

type Row = { key: string | null } & Omit<TimeToSale, keyof DimensionValue>

/**
 * How long it took, in seconds, from the visit that created a referral to its first sale, of the first sales in the
 * range: of all, or of the values of a dimension with the most. Referrals of coupons have no visit.
 * @throws INVALID_INPUT
 */
export async function readTimeToSale(
  ctx: ProgramCtx,
  { query, from, to }: Analytics,
  { by, limit }: { by?: Dimension | null | undefined; limit: number },
): Promise<TimeToSale[]> {
  demandRankable(limit)
  const column = by ? columns[by] : Prisma.sql`null`
  if (!column) throw invalid([problem('by', 'must be AFFILIATE, CAMPAIGN or SOURCE')])
  const conditions = [
    Prisma.sql`program_id = ${query.programId}::uuid and link_id is not null`,
    Prisma.sql`became_conversion_at >= ${new Date(from)}::timestamptz and became_conversion_at < ${new Date(to)}::timestamptz`,
    ...conditionsOf(query.where),
  ]
  const quantile = (part: number) =>
    Prisma.sql`percentile_cont(${Prisma.raw(String(part))}) within group (order by extract(epoch from became_conversion_at - created_at)::float8)`
  const rows = await ctx.db.$queryRaw<Row[]>`
    select ${column}::text as key, count(*)::int as conversions, ${quantile(0.25)} as "lowerQuartile",
      ${quantile(0.5)} as median, ${quantile(0.75)} as "upperQuartile"
    from referrals where ${Prisma.join(conditions, ' and ')}
    group by 1 order by 2 desc, 1 limit ${limit}`
  if (!by) {
    const none = { conversions: 0, lowerQuartile: null, median: null, upperQuartile: null }
    return [{ ...none, ...rows[0], id: null, label: 'all' }]
  }
  const valueFor = await readDimensionValues(
    ctx,
    by,
    rows.map(({ key }) => key),
  )
  return rows.map(({ key, ...times }) => ({ ...times, ...valueFor(key) }))
}
