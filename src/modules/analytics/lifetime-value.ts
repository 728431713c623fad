import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import type { Dimension } from './facts.ts'
import { type DimensionValue, readDimensionValues } from './labels.ts'
import { average } from './metrics.ts'
import { demandRankable } from './ranking.ts'
import type { Analytics } from './service.ts'
import { conditionsOf, nilId } from './where.ts'

export type LifetimeValue = DimensionValue & {
  customers: bigint
  sales: bigint
  netCents: bigint
  perCustomerCents: bigint | null
  currency: string
}

const columns: Partial<Record<Dimension, Prisma.Sql>> = {
  affiliate: Prisma.sql`affiliate_id`,
  campaign: Prisma.sql`campaign_id`,
  source: Prisma.sql`link_id`,
  coupon: Prisma.sql`coupon_id`,
}

type Row = Record<'customers' | 'sales' | 'net', string> & { key: string | null }

/**
 * What the customers whose first sale in the currency was in the range have bought until now, net of refunds: of all,
 * or by what brought their first sale. It reads every sale in the currency. A referral without a customer counts as
 * one.
 * @throws INVALID_INPUT
 */
export async function readLifetimeValue(
  ctx: ProgramCtx,
  { query, from, to }: Analytics,
  { by, limit }: { by?: Dimension | null | undefined; limit: number },
): Promise<LifetimeValue[]> {
  demandRankable(limit)
  const column = by ? columns[by] : Prisma.sql`null`
  if (!column) throw invalid([problem('by', 'must be AFFILIATE, CAMPAIGN, SOURCE or COUPON')])
  const rows = await ctx.db.$queryRaw<Row[]>`
    with sold as (
      select coalesce(s.customer_id, s.referral_id) as customer, s.id, s.occurred_at, s.amount_cents - s.refunded_cents as net,
        s.affiliate_id, s.campaign_id, coalesce(r.link_id, ${nilId}::uuid) as link_id, coalesce(r.coupon_id, ${nilId}::uuid) as coupon_id
      from sales s join referrals r on r.program_id = s.program_id and r.id = s.referral_id
      where s.program_id = ${query.programId}::uuid and s.currency = ${query.currency} and s.occurred_at <= ${query.now}::timestamptz
    ), customers as (
      select distinct on (customer) *, sum(net) over bought as total, count(*) over bought as sales
      from sold window bought as (partition by customer) order by customer, occurred_at, id
    )
    select ${column}::text as key, count(*)::text as customers, sum(sales)::text as sales, sum(total)::text as net
    from customers
    where ${Prisma.join(
      [
        Prisma.sql`occurred_at >= ${new Date(from)}::timestamptz and occurred_at < ${new Date(to)}::timestamptz`,
        ...(by ? [Prisma.sql`${column} <> ${nilId}::uuid`] : []),
        ...conditionsOf(query.where),
      ],
      ' and ',
    )}
    group by 1 order by sum(total) desc, 1 limit ${limit}`
  const lifeOf = ({ customers, sales, net }: Omit<Row, 'key'>) => ({
    customers: BigInt(customers),
    sales: BigInt(sales),
    netCents: BigInt(net),
    perCustomerCents: average(BigInt(net), BigInt(customers)),
    currency: query.currency,
  })
  if (!by) return [{ ...lifeOf(rows[0] ?? { customers: '0', sales: '0', net: '0' }), id: null, label: 'all' }]
  const valueFor = await readDimensionValues(
    ctx,
    by,
    rows.map(({ key }) => key),
  )
  return rows.map(({ key, ...row }) => ({ ...lifeOf(row), ...valueFor(key) }))
}
