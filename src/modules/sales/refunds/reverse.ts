import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { Prisma, Refund } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, type Problem } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { needsOneOf, parseInput } from '../../../kernel/input/parse.ts'
import { correctChangedSales } from '../../commissions/tier-corrections.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { lockAffiliates, settleOpenPayouts } from '../../payouts/settle.ts'
import { reevaluateRefunded } from '../timeline/reevaluate.ts'
import { giveBack } from './adjust.ts'
import { reverseRefundInput } from './input.ts'

const noRefund: Problem = { message: 'Give the refund by its id or by its external id.' }

/**
 * Reverses a refund, for example because a dispute was won: it counts for nothing from then on, and the commission
 * comes back, in one transaction. Idempotent: reversing it again changes nothing, and returns the same.
 *
 * @throws INVALID_INPUT
 */
export async function reverseRefund(ctx: ProgramCtx, raw: unknown): Promise<Refund> {
  const input = await parseInput(reverseRefundInput, raw, needsOneOf(['refundId', 'externalId'], noRefund))
  const refund = await findReported(ctx, input)
  if (refund.reversedAt) return refund
  return withTransaction(ctx.db, (tx) => recordReversal(ctx, tx, refund, input.reason))
}

async function recordReversal(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  { programId, id, sale: { affiliateId } }: Awaited<ReturnType<typeof findReported>>,
  reason: string | undefined,
): Promise<Refund> {
  await lockAffiliates(tx, programId, [affiliateId])
  const key = { programId_id: { programId, id } }
  // It may have been reversed while this request waited for the lock.
  const { sale, ...before } = await tx.refund.findUniqueOrThrow({ where: key, include: { sale: true } })
  if (before.reversedAt) return before
  const now = ctx.now()
  const refund = await tx.refund.update({ where: key, data: { reversedAt: now, reversalReason: reason ?? null } })
  const { count } = await tx.sale.updateMany({
    where: { programId, id: sale.id, refundedCents: sale.refundedCents },
    data: { refundedCents: { decrement: refund.amountCents }, updatedAt: now },
  })
  if (count !== 1) throw new Error(`The sale ${sale.id} changed under its affiliate's lock.`)
  const adjusted = await giveBack(ctx, tx, refund, sale.amountCents, now)
  const events = [...eventsOf(sale.id, ['sale.updated', 'tributary.sale.refund_reversed']), ...adjusted]
  await recordEvents(tx, ctx, events, now)
  await reevaluateRefunded(ctx, tx, sale, now, now)
  await correctChangedSales(ctx, sqlWithin(tx), [sale], now)
  await settleOpenPayouts(tx, ctx, [affiliateId], now)
  return refund
}

/** If both ids are given, they must belong to the same refund. @throws INVALID_INPUT */
async function findReported(
  { db, program }: ProgramCtx,
  { refundId, externalId }: { refundId?: string | undefined; externalId?: string | undefined },
) {
  const isReadable = refundId === undefined || isId(refundId)
  const where = { programId: program.id, id: refundId, externalId }
  const include = { sale: { select: { affiliateId: true } } }
  const refund = isReadable ? await db.refund.findFirst({ where, include }) : null
  if (refund) return refund
  const waiting = { programId: program.id, id: refundId, externalId }
  const waits = isReadable && (await db.waitingRefund.count({ where: waiting })) > 0
  const message = waits ? 'The refund waits for its sale. Report the sale first.' : 'Refund not found.'
  throw invalid([{ message, field: refundId === undefined ? 'externalId' : 'refundId' }])
}
