import type { Prisma, Refund } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { findById } from '../../../kernel/lookup.ts'

/** @throws NOT_FOUND */
export async function findRefund(ctx: ProgramCtx, id: string, query: Prisma.RefundDefaultArgs = {}): Promise<Refund> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Refund', id, () => ctx.db.refund.findUnique({ where, ...query }))
}
