import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { problem } from '../../kernel/input/parse.ts'
import { listingOf } from '../../kernel/listing/registry.ts'
import { type Where as Conditions, toRule } from '../../kernel/listing/where.ts'

/** Several comparisons all hold. */
export type IdFilter = { equals?: string | null; in?: readonly string[] | null; not?: string | null }

/** Which facts count: those of all that is given. */
export type Where = {
  affiliateId?: IdFilter | null
  campaignId?: IdFilter | null
  linkId?: IdFilter | null
  couponId?: IdFilter | null
  /** Of affiliates, and of campaigns, of which this holds: as in their lists. */
  affiliate?: Conditions | null
  campaign?: Conditions | null
  /** Their ids, once they were looked up. */
  affiliateIds?: readonly string[]
  campaignIds?: readonly string[]
}

const columns = {
  affiliateId: Prisma.sql`affiliate_id`,
  campaignId: Prisma.sql`campaign_id`,
  linkId: Prisma.sql`link_id`,
  couponId: Prisma.sql`coupon_id`,
}

/** What a fact that came through no link, or no coupon, has in place of its id. */
export const nilId = '00000000-0000-0000-0000-000000000000'
const most = 1_000
const mostFound = 10_000

/** Whether a rollup by campaign does not tell what is asked for. */
export const isOfSource = ({ affiliateId, affiliateIds, linkId, couponId }: Where): boolean =>
  [affiliateId, affiliateIds, linkId, couponId].some((filter) => filter !== undefined && filter !== null)

/** The same over columns of facts. An id of no valid form is nobody's. */
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

/**
 * Looks up whom the conditions of affiliates and campaigns hold of.
 *
 * @throws INVALID_INPUT where more ids are named, or found, than a statement should hold
 */
export async function readWhere(ctx: ProgramCtx, where: Where): Promise<Where> {
  const fields = Object.keys(columns) as (keyof typeof columns)[]
  const long = fields.filter((field) => (where[field]?.in?.length ?? 0) > most)
  if (long.length > 0) throw invalid(long.map((field) => problem(field, `can name at most ${most} ids`)))
  return {
    ...where,
    ...(where.affiliate && { affiliateIds: await idsOf(ctx, 'affiliate', where.affiliate) }),
    ...(where.campaign && { campaignIds: await idsOf(ctx, 'campaign', where.campaign) }),
  }
}

async function idsOf(ctx: ProgramCtx, field: 'affiliate' | 'campaign', conditions: Conditions): Promise<string[]> {
  const listing = listingOf(field === 'affiliate' ? 'Affiliate' : 'Campaign')
  const where = { AND: [{ programId: ctx.program.id }, toRule(listing, conditions, { now: ctx.now() })] }
  const delegate = ctx.db[field] as unknown as { findMany(query: object): Promise<{ id: string }[]> }
  const rows = await delegate.findMany({ where, select: { id: true }, take: mostFound + 1 })
  if (rows.length > mostFound) throw invalid([problem(field, `holds of more than ${mostFound}: narrow it`)])
  return rows.map(({ id }) => id)
}
