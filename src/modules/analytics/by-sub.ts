import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { problem } from '../../kernel/input/parse.ts'
import type { Analytics } from './service.ts'
import { conditionsOf } from './where.ts'

export type SubReport = {
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

/** What sub-ids brought, the most visitors first, at most `limit` in all. @throws INVALID_INPUT */
export const readBySub = (ctx: ProgramCtx, analytics: Analytics, limit: number): Promise<SubReport[]> =>
  readSubs(ctx, analytics, limit, Prisma.empty)

/** What the sub-ids of each affiliate brought, at most `limit` for each. Runs one statement. @throws INVALID_INPUT */
export async function readSubsOfAffiliates(
  ctx: ProgramCtx,
  analytics: Analytics,
  limit: number,
): Promise<(affiliateId: string) => SubReport[]> {
  const reports = await readSubs(ctx, analytics, limit, Prisma.sql`partition by affiliate_id`)
  const byAffiliate = groupBy(reports, ({ affiliateId }) => affiliateId)
  return (affiliateId) => byAffiliate.get(affiliateId) ?? []
}

/**
 * Each event is counted at the time when it happened, as in other analytics. The facts are read, because no rollup has
 * the sub-id. @param within what the limit is for
 */
async function readSubs(ctx: ProgramCtx, analytics: Analytics, limit: number, within: Prisma.Sql) {
  if (limit < 1 || limit > maxGroups) throw invalid([problem('limit', `must be from 1 to ${maxGroups}`)])
  const { query } = analytics
  const [from, to] = [new Date(analytics.from), new Date(analytics.to)]
  const ofProgram = (table: string) => Prisma.sql`${Prisma.raw(table)}.program_id = ${query.programId}::uuid`
  const conditions = Prisma.join(
    [ofProgram('referrals'), Prisma.sql`sub is not null`, ...conditionsOf(query.where)],
    ' and ',
  )
  const inRange = (column: string) => Prisma.sql`${Prisma.raw(column)} >= ${from} and ${Prisma.raw(column)} < ${to}`
  /** What a referral is counted as at one of its times. */
  const counted = (column: string, counts: string) => Prisma.sql`
    select affiliate_id, sub, ${Prisma.raw(counts)}, 0 as sale, 0::numeric as amount, 0::numeric as commission
    from referrals where ${conditions} and ${inRange(column)}`
  /** Sales or commissions with the sub-id of their referral. The conditions are on columns of the referral. */
  const earned = (table: string, counts: string, others: Prisma.Sql) => Prisma.sql`
    select r.affiliate_id, r.sub, 0, 0, 0, ${Prisma.raw(counts)} from ${Prisma.raw(table)} e cross join lateral (
      select affiliate_id, sub from referrals where ${conditions} and program_id = e.program_id and id = e.referral_id
    ) r
    where ${ofProgram('e')} and e.currency = ${query.currency} and ${inRange('e.occurred_at')} ${others}`
  const rows = await ctx.db.$queryRaw<Row[]>`
    with facts as (
      ${counted('created_at', '1 as visitor, 0 as lead, 0 as conversion')}
      union all ${counted('became_lead_at', '0, 1, 0')}
      union all ${counted('became_conversion_at', '0, 0, 1')}
      union all ${earned('sales', '1, e.amount_cents, 0', Prisma.empty)}
      union all ${earned('commissions', '0, 0, e.amount_cents', Prisma.sql`and e.voided_at is null`)}
    ), sums as (
      select affiliate_id, sub, sum(visitor) as visitors, sum(lead) as leads, sum(conversion) as conversions,
        sum(sale) as sales, sum(amount) as cents, sum(commission) as commission
      from facts group by affiliate_id, sub
      having sum(visitor) + sum(lead) + sum(conversion) + sum(sale) > 0 or sum(commission) <> 0
    ), ranked as (
      select *, row_number() over (${within} order by visitors desc, sales desc, sub, affiliate_id) as place from sums
    )
    select affiliate_id::text as "affiliateId", sub, visitors::text, leads::text, conversions::text, sales::text,
      cents::text, commission::text
    from ranked where place <= ${limit} order by place`
  return rows.map(({ affiliateId, sub, ...sums }) => ({
    affiliateId,
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
