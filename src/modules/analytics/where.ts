import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { problem } from '../../kernel/input/parse.ts'
import { listingOf } from '../../listing/registry.ts'
import { type Where as Conditions, toRule } from '../../listing/where.ts'

/** All given comparisons must match. */
export type IdFilter = { equals?: string | null; in?: readonly string[] | null; not?: string | null }

/** Filters for facts. All given filters must match. */
export type Where = {
  affiliateId?: IdFilter | null
  campaignId?: IdFilter | null
  linkId?: IdFilter | null
  couponId?: IdFilter | null
  affiliate?: Conditions | null
  campaign?: Conditions | null
  /** The ids of the records that match the conditions. `readWhere` sets them. */
  affiliateIds?: readonly string[]
  campaignIds?: readonly string[]
}

const columns = {
  affiliateId: Prisma.sql`affiliate_id`,
  campaignId: Prisma.sql`campaign_id`,
  linkId: Prisma.sql`link_id`,
  couponId: Prisma.sql`coupon_id`,
}

/** The id that facts without a link, or without a coupon, have in its place. */
export const nilId = '00000000-0000-0000-0000-000000000000'
const maxGivenIds = 1_000
const maxMatches = 10_000

/** Whether the filters need the rollup by source, because the one by campaign lacks their columns. */
export const needsSource = ({ affiliateId, affiliateIds, linkId, couponId }: Where): boolean =>
  [affiliateId, affiliateIds, linkId, couponId].some((filter) => filter !== undefined && filter !== null)

/** The id of the campaign, if the filters are for one campaign and nothing else. */
export function onlyCampaignOf({ campaignId, campaignIds, ...others }: Where): string | undefined {
  if (needsSource(others) || (campaignId && campaignIds)) return undefined
  if (campaignIds) return campaignIds.length === 1 ? campaignIds[0] : undefined
  const { equals, in: given, not } = campaignId ?? {}
  const [id, ...more] = given ?? [equals]
  const isOne = not === undefined && (equals === undefined || !given) && more.length === 0
  return isOne && id && isId(id) && id !== nilId ? id : undefined
}

/** The filters as conditions on the columns of facts. Ids of invalid form match nothing. */
export function conditionsOf(where: Where): Prisma.Sql[] {
  const { affiliateIds, campaignIds } = where
  const named = Object.entries(columns).flatMap(([field, column]) => {
    const filter = where[field as keyof typeof columns]
    if (!filter) return []
    const conditions: Prisma.Sql[] = []
    if (filter.equals !== undefined) conditions.push(Prisma.sql`${column} = any(${ids([filter.equals])}::uuid[])`)
    if (filter.in) conditions.push(Prisma.sql`${column} = any(${ids(filter.in)}::uuid[])`)
    if (filter.not !== undefined) conditions.push(Prisma.sql`${column} <> all(${ids([filter.not])}::uuid[])`)
    return conditions
  })
  return [
    ...named,
    ...(affiliateIds ? [Prisma.sql`affiliate_id = any(${[...affiliateIds]}::uuid[])`] : []),
    ...(campaignIds ? [Prisma.sql`campaign_id = any(${[...campaignIds]}::uuid[])`] : []),
  ]
}

const ids = (given: readonly (string | null)[]) => given.map((id) => id ?? nilId).filter(isId)

/** The rows of a table, joined with their referrals' `link_id` and `coupon_id` only if filters need them. */
export function rowsWithSource(table: 'sales' | 'commissions', { linkId, couponId }: Where): Prisma.Sql {
  const name = Prisma.raw(table)
  if (!linkId && !couponId) return name
  return Prisma.sql`(
    select t.*, coalesce(r.link_id, ${nilId}::uuid) as link_id, coalesce(r.coupon_id, ${nilId}::uuid) as coupon_id
    from ${name} t join referrals r on r.program_id = t.program_id and r.id = t.referral_id) ${name}`
}

/**
 * The matching affiliates and campaigns.
 * @throws INVALID_INPUT if more ids are given, or match, than one statement holds
 */
export async function readWhere(ctx: ProgramCtx, where: Where): Promise<Where> {
  const fields = Object.keys(columns) as (keyof typeof columns)[]
  const tooLong = fields.filter((field) => (where[field]?.in?.length ?? 0) > maxGivenIds)
  if (tooLong.length > 0) throw invalid(tooLong.map((field) => problem(field, `can hold at most ${maxGivenIds} ids`)))
  return {
    ...where,
    ...(where.affiliate && { affiliateIds: await idsOf(ctx, 'affiliate', where.affiliate) }),
    ...(where.campaign && { campaignIds: await idsOf(ctx, 'campaign', where.campaign) }),
  }
}

async function idsOf(ctx: ProgramCtx, field: 'affiliate' | 'campaign', conditions: Conditions): Promise<string[]> {
  const listing = listingOf(field === 'affiliate' ? 'Affiliate' : 'Campaign')
  const where = { AND: [{ programId: ctx.program.id }, toRule(listing, conditions, { now: ctx.now() })] }
  const query = { where, select: { id: true }, take: maxMatches + 1 }
  const rows = field === 'affiliate' ? await ctx.db.affiliate.findMany(query) : await ctx.db.campaign.findMany(query)
  if (rows.length > maxMatches)
    throw invalid([problem(field, `matches more than ${maxMatches} records: narrow it down`)])
  return rows.map(({ id }) => id)
}
