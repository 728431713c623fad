import type { z } from 'zod'
import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findByIdOrImportedId, inOrder } from '../../kernel/lookup.ts'
import { carries, type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { commissions } from '../../resources/commissions.ts'
import { listCommissionsInput } from './input.ts'
import { commissionListing } from './listing.ts'

/** @throws NOT_FOUND */
export async function findCommission(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.CommissionDefaultArgs = {},
): Promise<Commission> {
  return findByIdOrImportedId(ctx, 'commission', id, (where) => ctx.db.commission.findUnique({ ...query, where }))
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

export async function listCommissions(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.CommissionDefaultArgs = {},
): Promise<Page<Commission>> {
  const input = await parseInput(listCommissionsInput, raw)
  const where = commissionsWhere(ctx, input)
  return readRows(ctx, commissionListing, input, where, query)
}

export function commissionsWhere(
  ctx: ProgramCtx,
  input: z.output<typeof listCommissionsInput>,
): Prisma.CommissionWhereInput {
  const now = ctx.now()
  return {
    programId: ctx.program.id,
    ...updatedBetween(input),
    affiliateId: carries(input.affiliateId),
    campaignId: carries(input.campaignId),
    ...(input.state && { OR: input.state.map((state) => commissions.states.where(state, now)) }),
  }
}
