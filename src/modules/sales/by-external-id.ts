import type { Prisma, Sale } from '../../generated/prisma/client.ts'

/** The sale with this external id, or with another id of the same payment. Null without one. */
export async function findSaleByExternalId(
  db: Pick<Prisma.TransactionClient, 'sale' | 'saleAlias'>,
  programId: string,
  externalId: string,
): Promise<Sale | null> {
  const sale = await db.sale.findFirst({ where: { programId, externalId } })
  if (sale) return sale
  const key = { programId_externalId: { programId, externalId } }
  return (await db.saleAlias.findUnique({ where: key, select: { sale: true } }))?.sale ?? null
}
