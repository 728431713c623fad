import { statement } from '../../../database/client/sql.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { PastSale } from '../past-sales.ts'

/** Whose a sale is if a coupon decides. */
export type Owner = Pick<PastSale, 'affiliateId' | 'campaignId' | 'groupIds'>

const owners = statement<Owner & { id: string }>(`
  select distinct on (g.id) g.id, a.id::text as "affiliateId", a.campaign_id::text as "campaignId",
    coalesce((select jsonb_agg(m.group_id) from affiliate_group_memberships m
      where m.program_id = a.program_id and m.affiliate_id = a.id and m.from_at <= g.at
        and (m.until_at is null or m.until_at > g.at)), '[]') as "groupIds"
  from jsonb_to_recordset($2::jsonb) as g (id text, key text, place int, at timestamptz)
    join affiliate_coupons c on c.program_id = $1::uuid and c.token_key = g.key and c.created_at <= g.at
    join affiliates a on a.program_id = c.program_id and a.id = c.affiliate_id and a.state = 'active'
  order by g.id, g.place`)

/** The owners of the first usable coupon of each sale that another signal has attributed. */
export async function readCouponOwners(
  { db, program }: ProgramCtx,
  sales: readonly PastSale[],
): Promise<Map<string, Owner>> {
  const given = sales
    .filter(({ attributedBy }) => attributedBy !== 'coupon')
    .flatMap(({ id, couponKeys, occurredAt: at }) => couponKeys.map((key, place) => ({ id, key, place, at })))
  if (given.length === 0) return new Map()
  const rows = await db.sql.query(owners, [program.id, JSON.stringify(given)])
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}
