import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { findByIdOrImportedId, inOrder } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findCommission(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.CommissionDefaultArgs = {},
): Promise<Commission> {
  return findByIdOrImportedId(ctx, 'commission', id, (where) => ctx.db.commission.findUnique({ where, ...query }))
}

/** Finds commissions in the order of the ids. Unknown ids are left out. */
export async function findCommissions(
  ctx: ProgramCtx,
  ids: string[],
  query: Prisma.CommissionDefaultArgs = {},
): Promise<Commission[]> {
  const where = { programId: ctx.program.id, id: { in: ids.filter(isId) } }
  return inOrder(ids, await ctx.db.commission.findMany({ ...query, where }))
}
