import { withTransaction } from '../../../database/transaction.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Db, ProgramCtx } from '../../../kernel/context.ts'

/**
 * Runs `record` in one transaction that may record a sale. If the sale has an external id, the transaction first takes the
 * lock of that id and keeps it until it ends. Of parallel transactions for the same sale, the first records it; the others
 * wait for it, and get the id of the recorded sale as `recordedId`.
 *
 * The lock comes before all others (customer, referral, affiliate). Every transaction takes them in this order, so that
 * parallel reports cannot deadlock.
 */
export const withSaleTransaction = <T>(
  ctx: ProgramCtx,
  externalId: string | null | undefined,
  record: (tx: Prisma.TransactionClient, recordedId: string | null) => Promise<T>,
): Promise<T> =>
  withTransaction(ctx.db, async (tx) => {
    if (externalId === null || externalId === undefined) return record(tx, null)
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`${ctx.program.id} ${externalId}`}, 0))`
    return record(tx, await findSaleId(tx, ctx, externalId))
  })

/** The id of the sale that was recorded with this external id, or null. */
export async function findSaleId(
  db: Db | Prisma.TransactionClient,
  { program }: Pick<ProgramCtx, 'program'>,
  externalId: string,
): Promise<string | null> {
  const where = { programId_externalId: { programId: program.id, externalId } }
  const sale = await db.sale.findUnique({ where, select: { id: true } })
  return sale?.id ?? null
}
