import type { Commission, Prisma } from '../../generated/prisma/client.ts'

/** Those of the earned commissions that have debts or credits. Unpaid again, they are worth the sum. */
export async function withDebts(
  tx: Prisma.TransactionClient,
  commissions: readonly Commission[],
): Promise<Commission[]> {
  const earned = commissions.filter(({ refundId }) => refundId === null)
  const [first] = earned
  if (!first) return []
  const saleId = { in: earned.flatMap((one) => one.saleId ?? []) }
  const where = { programId: first.programId, saleId, refundId: { not: null } }
  const debts = await tx.commission.findMany({ where, select: { saleId: true } })
  const sales = new Set(debts.map((debt) => debt.saleId))
  return earned.filter((one) => sales.has(one.saleId))
}

export const countedRefusal =
  'The sale was refunded after the payment that came back: the debt counts against this commission. Refund the rest of the sale instead.'
