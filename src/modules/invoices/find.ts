import type { Invoice, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { findById } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findInvoice(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.InvoiceDefaultArgs = {},
): Promise<Invoice> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Invoice', id, () => ctx.db.invoice.findUnique({ where, ...query }))
}
