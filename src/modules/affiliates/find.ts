import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/errors.ts'
import { idOfFormer } from '../../kernel/former-ids.ts'
import { isId } from '../../kernel/ids.ts'
import { findById, inOrder } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findAffiliate(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.AffiliateDefaultArgs = {},
): Promise<Affiliate> {
  const read = (own: string) =>
    ctx.db.affiliate.findUnique({ ...query, where: { programId_id: { programId: ctx.program.id, id: own } } })
  return findById('Affiliate', id, read, idOfFormer(ctx, 'affiliate'))
}

/** An affiliate that a body names: where it is unknown in this program, that is a problem of the input, not a 404. */
export const unknownAffiliate: Problem = { field: 'affiliateId', message: 'Affiliate not found.' }

/** Those of these affiliates that there are, by id. */
export async function referredAffiliates(
  ctx: ProgramCtx,
  ids: readonly (string | undefined)[],
): Promise<Map<string, Affiliate>> {
  const given = [...new Set(ids.filter((id) => id !== undefined))].filter(isId)
  if (given.length === 0) return new Map()
  const affiliates = await ctx.db.affiliate.findMany({ where: { programId: ctx.program.id, id: { in: given } } })
  return new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]))
}

/** Those of these affiliates that there are, in the order of the ids. */
export async function findAffiliates(
  ctx: ProgramCtx,
  ids: readonly string[],
  query: Prisma.AffiliateDefaultArgs = {},
): Promise<Affiliate[]> {
  const where = { programId: ctx.program.id, id: { in: [...ids] } }
  return inOrder(ids, await ctx.db.affiliate.findMany({ ...query, where }))
}
