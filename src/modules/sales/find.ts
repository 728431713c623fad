import type { Prisma, Sale } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { findByIdOrImportedId } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export const findSale = (ctx: ProgramCtx, id: string, query: Prisma.SaleDefaultArgs = {}): Promise<Sale> =>
  findByIdOrImportedId(ctx, 'sale', id, (where) => ctx.db.sale.findUnique({ where, ...query }))
