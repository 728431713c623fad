import type { Commission, Prisma } from '../../generated/prisma/client.ts'

type InPayout = Pick<Commission, 'programId' | 'payoutId' | 'paidAt'>

/**
 * Those of the commissions whose payment was sent, but is not known to have arrived. They are fixed: a refund of one is
 * a debt. The caller holds the locks of their affiliates.
 */
export async function sentOf<C extends InPayout>(
  tx: Prisma.TransactionClient,
  commissions: readonly C[],
): Promise<C[]> {
  const [first] = commissions
  const ids = commissions.flatMap(({ payoutId, paidAt }) => (payoutId !== null && paidAt === null ? payoutId : []))
  if (!first || ids.length === 0) return []
  const where = { programId: first.programId, id: { in: [...new Set(ids)] }, paidAt: null, sentAt: { not: null } }
  const sent = new Set((await tx.payout.findMany({ where, select: { id: true } })).map(({ id }) => id))
  return commissions.filter(({ payoutId, paidAt }) => paidAt === null && payoutId !== null && sent.has(payoutId))
}

export const sentRefusal =
  'The commission is in a payout whose payment was sent. Wait for its result, or cancel the run.'
