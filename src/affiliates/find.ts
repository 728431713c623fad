import type { ProgramCtx } from '../context.ts'
import type { Problem } from '../errors.ts'
import type { Affiliate, Prisma } from '../generated/prisma/client.ts'
import { isId } from '../ids.ts'
import { findById } from '../lookup.ts'

/** @throws NOT_FOUND */
export async function findAffiliate(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.AffiliateDefaultArgs = {},
): Promise<Affiliate> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Affiliate', id, () => ctx.db.affiliate.findUnique({ ...query, where }))
}

/** An affiliate that a body names: where it is unknown in this program, that is a problem of the input, not a 404. */
export async function referredAffiliate(
  ctx: ProgramCtx,
  id: string | undefined,
): Promise<Affiliate | Problem | undefined> {
  if (id === undefined) return undefined
  const affiliate = isId(id)
    ? await ctx.db.affiliate.findUnique({ where: { programId_id: { programId: ctx.program.id, id } } })
    : null
  return affiliate ?? { field: 'affiliateId', message: 'Affiliate not found.' }
}
