import type { Prisma, Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { findById } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findSale(ctx: ProgramCtx, id: string, query: Prisma.SaleDefaultArgs = {}): Promise<Sale> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Sale', id, () => ctx.db.sale.findUnique({ ...query, where }))
}
