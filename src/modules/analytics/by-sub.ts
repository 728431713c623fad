import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { readDimensionValues } from './labels.ts'
import type { RankedItem } from './ranking.ts'
import type { Analytics } from './service.ts'
import { conditionsOf } from './where.ts'

export type SubReport = {
  affiliate: RankedItem['affiliate']
  affiliateId: string
  sub: string
  visitors: bigint
  leads: bigint
  conversions: bigint
  sales: bigint
  salesCents: bigint
  commissionCents: bigint
  currency: string
}

const maxGroups = 100

type Row = Record<
  'affiliateId' | 'sub' | 'visitors' | 'leads' | 'conversions' | 'sales' | 'cents' | 'commission',
  string
>

/**
 * What each affiliate's sub-ids brought, the most visitors first. Each event is counted at the time when it happened,
 * as in other analytics. The facts are read, because no rollup has the sub-id.
 * @throws INVALID_INPUT
 */
export async function readBySub(ctx: ProgramCtx, analytics: Analytics, limit: number): Promise<SubReport[]> {
  if (limit < 1 || limit > maxGroups) throw invalid([problem('limit', `must be from 1 to ${maxGroups}`)])
  const { query } = analytics
  const [from, to] = [new Date(analytics.from), new Date(analytics.to)]
  const conditions = Prisma.join(
    [Prisma.sql`program_id = ${query.programId}::uuid`, Prisma.sql`sub is not null`, ...conditionsOf(query.where)],
    ' and ',
  )
  const within = (column: string) => Prisma.sql`${Prisma.raw(column)} >= ${from} and ${Prisma.raw(column)} < ${to}`
  const rows = await ctx.db.$queryRaw<Row[]>`
    with brought as materialized (
      select id, affiliate_id, sub, created_at, became_lead_at, became_conversion_at from referrals where ${conditions}
    ), facts as (
      select affiliate_id, sub, (${within('created_at')})::int as visitor,
        coalesce((${within('became_lead_at')})::int, 0) as lead,
        coalesce((${within('became_conversion_at')})::int, 0) as conversion, 0 as sale, 0::numeric as amount, 0::numeric as commission
      from brought
      union all
      select b.affiliate_id, b.sub, 0, 0, 0, 1, s.amount_cents, 0 from sales s
        join brought b on b.id = s.referral_id
      where s.program_id = ${query.programId}::uuid and s.currency = ${query.currency} and ${within('s.occurred_at')}
      union all
      select b.affiliate_id, b.sub, 0, 0, 0, 0, 0, c.amount_cents from commissions c
        join brought b on b.id = c.referral_id
      where c.program_id = ${query.programId}::uuid and c.currency = ${query.currency} and c.voided_at is null
        and ${within('c.occurred_at')}
    )
    select affiliate_id::text as "affiliateId", sub, sum(visitor)::text as visitors, sum(lead)::text as leads,
      sum(conversion)::text as conversions, sum(sale)::text as sales, sum(amount)::text as cents,
      sum(commission)::text as commission
    from facts group by affiliate_id, sub
    having sum(visitor) + sum(lead) + sum(conversion) + sum(sale) > 0 or sum(commission) <> 0
    order by sum(visitor) desc, sum(sale) desc, sub, affiliate_id limit ${limit}`
  const affiliates = await readDimensionValues(ctx, 'affiliate', [...new Set(rows.map((row) => row.affiliateId))])
  return rows.map(({ affiliateId, sub, ...sums }) => ({
    affiliateId,
    affiliate: affiliates.get(affiliateId)?.affiliate,
    sub,
    visitors: BigInt(sums.visitors),
    leads: BigInt(sums.leads),
    conversions: BigInt(sums.conversions),
    sales: BigInt(sums.sales),
    salesCents: BigInt(sums.cents),
    commissionCents: BigInt(sums.commission),
    currency: query.currency,
  }))
}
