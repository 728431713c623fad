import type { Prisma, Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { idOfFormer } from '../../kernel/former-ids.ts'
import { findById } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findSale(ctx: ProgramCtx, id: string, query: Prisma.SaleDefaultArgs = {}): Promise<Sale> {
  const read = (own: string) =>
    ctx.db.sale.findUnique({ ...query, where: { programId_id: { programId: ctx.program.id, id: own } } })
  return findById('Sale', id, read, idOfFormer(ctx, 'sale'))
}
