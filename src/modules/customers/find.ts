import type { Customer, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { findById } from '../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findCustomer(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.CustomerDefaultArgs = {},
): Promise<Customer> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Customer', id, () => ctx.db.customer.findUnique({ where, ...query }))
}
