import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { findByIdOrImportedId, inOrder } from '../../kernel/lookup.ts'
import { inSlices } from '../../kernel/slices.ts'

/** @throws NOT_FOUND */
export async function findAffiliate(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.AffiliateDefaultArgs = {},
): Promise<Affiliate> {
  return findByIdOrImportedId(ctx, 'affiliate', id, (where) => ctx.db.affiliate.findUnique({ where, ...query }))
}

/** The problem for an unknown affiliate in a request body. The contract answers 422 here, not 404. */
export const unknownAffiliate: Problem = { field: 'affiliateId', message: 'Affiliate not found.' }

export async function referredAffiliates(
  ctx: ProgramCtx,
  ids: readonly (string | undefined)[],
): Promise<Map<string, Affiliate>> {
  const given = [...new Set(ids.filter((id) => id !== undefined))].filter(isId)
  if (given.length === 0) return new Map()
  const affiliates = await ctx.db.affiliate.findMany({ where: { programId: ctx.program.id, id: { in: given } } })
  return new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]))
}

export async function findAffiliates(
  ctx: ProgramCtx,
  ids: readonly string[],
  query: Prisma.AffiliateDefaultArgs = {},
): Promise<Affiliate[]> {
  return inSlices(ids, async (slice) => {
    const where = { programId: ctx.program.id, id: { in: slice } }
    return inOrder(slice, await ctx.db.affiliate.findMany({ ...query, where }))
  })
}
