import { invalid } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { isId } from '../ids.ts'
import { problem } from '../input/parse.ts'

/** Several comparisons all hold. */
export type IdFilter = { equals?: string | null; in?: readonly string[] | null; not?: string | null }

/** Which facts count: those of all that is given. */
export type Where = {
  affiliateId?: IdFilter | null
  campaignId?: IdFilter | null
  linkId?: IdFilter | null
  couponId?: IdFilter | null
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

/** Whether a rollup by campaign does not tell what is asked for. */
export const isOfSource = ({ affiliateId, linkId, couponId }: Where): boolean =>
  [affiliateId, linkId, couponId].some((filter) => filter !== undefined && filter !== null)

/** The same over columns of facts. An id of no valid form is nobody's. */
export function conditionsOf(where: Where): Prisma.Sql[] {
  return Object.entries(columns).flatMap(([field, column]) => {
    const filter = where[field as keyof Where]
    if (!filter) return []
    const conditions: Prisma.Sql[] = []
    if (filter.equals !== undefined) conditions.push(Prisma.sql`${column} = any(${ids([filter.equals])}::uuid[])`)
    if (filter.in) conditions.push(Prisma.sql`${column} = any(${ids(filter.in)}::uuid[])`)
    if (filter.not !== undefined) conditions.push(Prisma.sql`${column} <> all(${ids([filter.not])}::uuid[])`)
    return conditions
  })
}

const ids = (given: readonly (string | null)[]) => given.map((id) => id ?? nilId).filter(isId)

/** @throws INVALID_INPUT where more ids are named than a statement should hold */
export function checkWhere(where: Where): Where {
  const long = Object.keys(columns).filter((field) => (where[field as keyof Where]?.in?.length ?? 0) > most)
  if (long.length > 0) throw invalid(long.map((field) => problem(field, `can name at most ${most} ids`)))
  return where
}
