import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction, writeUnique } from '../../../database/client/transaction.ts'
import { Prisma, type WaitingRefund } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, TributaryError } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { problem } from '../../../kernel/input/parse.ts'
import type { RefundedItem } from '../../commissions/lines.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import { findSaleByExternalId } from '../by-external-id.ts'
import { keptDays, keptSince } from '../report/keep-unattributed.ts'
import type { RefundInput } from './input.ts'
import { type RefundReport, recordRefund } from './record.ts'

/** The condition for refunds that have not expired: they wait as long as a sale that was not attributed is kept. */
export const notExpired = (ctx: ProgramCtx) => ({
  programId: ctx.program.id,
  createdAt: { gte: keptSince(ctx.now()) },
})

/**
 * Keeps a refund whose sale is not known yet. Deletes the program's expired ones. If the sale has come meanwhile,
 * records the refund. Idempotent by the external id of the refund.
 *
 * @throws INVALID_INPUT; REFUSED if the sale has come, and is already refunded in full
 */
export const keepRefund = (ctx: ProgramCtx, input: RefundInput): Promise<RefundReport> =>
  // Reports of one refund with different sales do not wait for each other.
  writeUnique(
    async () => null,
    () => withTransaction(ctx.db, (tx) => keepWithin(ctx, tx, input)),
  )

async function keepWithin(ctx: ProgramCtx, tx: Prisma.TransactionClient, input: RefundInput): Promise<RefundReport> {
  const programId = ctx.program.id
  const { refundExternalId, amountCents = null, refundedTotalCents = null, occurredAt = null } = input
  const externalId = input.externalId as string
  // A report of the sale takes this lock too, so that it sees the refund, or the refund sees the sale.
  await lockInOrder(sqlWithin(tx), { programId, externalId })
  const sale = await findSaleByExternalId(tx, programId, externalId)
  if (sale) return recordRefund(ctx, tx, sale, input)
  const now = ctx.now()
  await tx.waitingRefund.deleteMany({ where: { programId, createdAt: { lt: keptSince(now) } } })
  const known = await findWaiting(tx, programId, input)
  if (known) return known
  const items = input.items ?? Prisma.DbNull
  const of = { saleExternalId: externalId, externalId: refundExternalId ?? null }
  const reported = { ...of, amountCents, refundedTotalCents, items, occurredAt }
  const waiting = await tx.waitingRefund.create({ data: { programId, id: mintId(now), ...reported, createdAt: now } })
  return { duplicate: false, differs: false, refund: null, waiting, hint: waits(waiting) }
}

const waits = ({ saleExternalId }: WaitingRefund) =>
  `No sale ${saleExternalId} is known yet. The refund waits for it, for ${keptDays} days.`

const wordsOf = (amountCents: bigint | null | undefined, totalCents: bigint | null | undefined) =>
  totalCents != null ? `a total of ${totalCents}` : String(amountCents ?? 'all that remains')

/** The refund with this external id that waits already. @throws INVALID_INPUT if it is of another sale */
async function findWaiting(
  tx: Prisma.TransactionClient,
  programId: string,
  { externalId: saleExternalId, refundExternalId: externalId, amountCents, refundedTotalCents }: RefundInput,
): Promise<RefundReport | null> {
  if (externalId === undefined) return null
  const key = { programId_externalId: { programId, externalId } }
  const waiting = await tx.waitingRefund.findUnique({ where: key })
  const isOfAnother = waiting ? waiting.saleExternalId !== saleExternalId : await tx.refund.findUnique({ where: key })
  if (isOfAnother) throw invalid([problem('refundExternalId', 'belongs to a refund of another sale')])
  if (!waiting) return null
  const given = wordsOf(amountCents, refundedTotalCents)
  const kept = wordsOf(waiting.amountCents, waiting.refundedTotalCents)
  const differs = (amountCents !== undefined || refundedTotalCents !== undefined) && given !== kept
  const difference = `The refund ${externalId} waits with ${kept}, not ${given}. Nothing changed.`
  const hint = differs ? `${waits(waiting)} ${difference}` : waits(waiting)
  return { duplicate: true, differs, refund: null, waiting, hint }
}

/**
 * Records the refunds that wait for these sales, in the order in which they were reported, in the transaction that has
 * recorded the sales. One that cannot be recorded stays, with the reason. The caller holds the locks of the external
 * ids.
 */
export async function applyWaitingRefunds(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  saleExternalIds: readonly string[],
): Promise<void> {
  const programId = ctx.program.id
  const where = { ...notExpired(ctx), saleExternalId: { in: [...saleExternalIds] }, problem: null }
  const waiting = await tx.waitingRefund.findMany({ where, orderBy: { id: 'asc' } })
  for (const { saleExternalId, externalId, amountCents, refundedTotalCents, items, occurredAt, ...row } of waiting) {
    const { id, createdAt } = row
    const key = { programId_id: { programId, id } }
    const sale = await findSaleByExternalId(tx, programId, saleExternalId)
    if (!sale) throw new Error(`The sale ${saleExternalId} is not recorded.`)
    const reported = {
      id,
      createdAt,
      occurredAt: occurredAt ?? undefined,
      refundExternalId: externalId ?? undefined,
      amountCents: amountCents ?? undefined,
      refundedTotalCents: refundedTotalCents ?? undefined,
      items: items as RefundedItem[] | null,
    }
    try {
      await recordRefund(ctx, tx, sale, reported)
      await tx.waitingRefund.delete({ where: key })
    } catch (error) {
      if (!(error instanceof TributaryError)) throw error
      await tx.waitingRefund.update({ where: key, data: { problem: error.message } })
    }
  }
}
