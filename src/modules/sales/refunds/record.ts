import { sqlWithin } from '../../../database/client/sql.ts'
import { Prisma, type Refund, type Sale, type WaitingRefund } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, refused } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { problem } from '../../../kernel/input/parse.ts'
import { correctChangedSales } from '../../commissions/tier-corrections.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { lockAffiliates, settleOpenPayouts } from '../../payouts/settle.ts'
import { itemProblems } from '../items/of-refund.ts'
import { startOf } from '../timeline/fact-of.ts'
import { reevaluateRefunded } from '../timeline/reevaluate.ts'
import { adjustCommission } from './adjust.ts'
import type { RefundInput } from './input.ts'

/**
 * The refund; or, if its sale is not known yet, the one that waits for it. `hint` says what a client should know: how a
 * repeated report differs from what was recorded (`differs`), or that the refund waits.
 */
export type RefundReport = { duplicate: boolean; differs: boolean; hint: string | null } & (
  | { refund: Refund; waiting: null }
  | { refund: null; waiting: WaitingRefund }
)

type Reported = Omit<RefundInput, 'saleId' | 'externalId'> & Partial<Pick<WaitingRefund, 'id' | 'createdAt'>>

/**
 * Records a refund and its effect on the commission, in the caller's transaction. Nothing is written if it throws.
 *
 * @param reported `id` and `createdAt` are those of a refund that waited for the sale
 * @throws INVALID_INPUT; REFUSED if the sale is already refunded in full
 */
export async function recordRefund(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  found: Sale,
  reported: Reported,
): Promise<RefundReport> {
  const { programId, id: saleId, affiliateId } = found
  const { refundedTotalCents, refundExternalId } = reported
  await lockAffiliates(tx, programId, [affiliateId])
  // The same refund may have been recorded while this one waited for the lock, and may have left nothing to refund.
  const duplicate = await findDuplicate(tx, found, reported)
  if (duplicate) return duplicate
  const sale = await tx.sale.findUniqueOrThrow({ where: { programId_id: { programId, id: saleId } } })
  const now = ctx.now()
  const open = sale.amountCents - sale.refundedCents
  const amountCents = refundedTotalCents === undefined ? reported.amountCents : refundedTotalCents - sale.refundedCents
  if (refundedTotalCents !== undefined && amountCents !== undefined && amountCents <= 0n)
    return repeatedTotal(tx, sale, refundedTotalCents)
  if (open === 0n) throw refused('This sale is already refunded in full.', ['sale_refunded_in_full'])
  if (amountCents !== undefined && amountCents > open)
    throw invalid([problem('amountCents', `exceeds the ${open} that can still be refunded`)])
  const problems = await itemProblems(tx, sale, reported.items, amountCents ?? open)
  if (problems.length > 0) throw invalid(problems)
  const refund = await tx.refund.create({
    data: {
      programId,
      id: reported.id ?? mintId(now),
      saleId,
      externalId: refundExternalId ?? null,
      amountCents: amountCents ?? open,
      items: reported.items ?? Prisma.DbNull,
      occurredAt: reported.occurredAt ?? null,
      createdAt: reported.createdAt ?? now,
    },
  })
  const { count } = await tx.sale.updateMany({
    where: { programId, id: saleId, refundedCents: sale.refundedCents },
    data: { refundedCents: { increment: refund.amountCents }, updatedAt: now },
  })
  if (count !== 1) throw new Error(`The sale ${saleId} changed under its affiliate's lock.`)
  const adjusted = await adjustCommission(ctx, tx, refund, open - refund.amountCents, now)
  await recordEvents(tx, ctx, [...eventsOf(saleId, ['sale.updated', 'sale.refunded']), ...adjusted], now)
  await reevaluateRefunded(ctx, tx, sale, startOf(refund), now)
  await correctChangedSales(ctx, sqlWithin(tx), [sale], now)
  await settleOpenPayouts(tx, ctx, [affiliateId], now)
  return { duplicate: false, differs: false, refund, waiting: null, hint: null }
}

/** The answer to a total that was reached before: the last refund that is not reversed. */
async function repeatedTotal(tx: Prisma.TransactionClient, sale: Sale, totalCents: bigint): Promise<RefundReport> {
  const { programId, id: saleId, refundedCents } = sale
  const refund = await tx.refund.findFirstOrThrow({
    where: { programId, saleId, reversedAt: null },
    orderBy: { id: 'desc' },
  })
  const differs = totalCents !== refundedCents
  const hint = differs ? `${refundedCents} of the sale are refunded already, more than ${totalCents}.` : null
  return { duplicate: true, differs, refund, waiting: null, hint }
}

/** The refund that was recorded with the same external id. @throws INVALID_INPUT if that was for another sale */
export async function findDuplicate(
  db: Prisma.TransactionClient,
  sale: Sale,
  { refundExternalId: externalId, amountCents, refundedTotalCents }: Reported,
): Promise<RefundReport | null> {
  if (externalId === undefined) return null
  const key = { programId_externalId: { programId: sale.programId, externalId } }
  const refund = await db.refund.findUnique({ where: key })
  if (refund && refund.saleId !== sale.id)
    throw invalid([problem('refundExternalId', 'belongs to a refund of another sale')])
  if (!refund) return null
  const difference = await differenceOf(db, refund, amountCents, refundedTotalCents)
  const hints = [
    ...(difference ? [`The refund ${externalId} was recorded with ${refund.amountCents}, ${difference}`] : []),
    ...(refund.reversedAt ? [`The refund ${externalId} was reversed at ${refund.reversedAt.toISOString()}.`] : []),
  ]
  return { duplicate: true, differs: difference !== null, refund, waiting: null, hint: hints.join(' ') || null }
}

/** How a repeated report contradicts the refund. A total may be that of any time since the refund was recorded. */
async function differenceOf(
  db: Prisma.TransactionClient,
  { programId, saleId, amountCents: recorded }: Refund,
  amountCents: bigint | undefined,
  totalCents: bigint | undefined,
): Promise<string | null> {
  if (amountCents !== undefined && amountCents !== recorded)
    return `not ${amountCents}. Nothing changed. Send refunded_total_cents if the amount is the sum of several refunds.`
  if (totalCents === undefined) return null
  const { _sum } = await db.refund.aggregate({ where: { programId, saleId }, _sum: { amountCents: true } })
  const sum = _sum.amountCents ?? 0n
  return totalCents >= recorded && totalCents <= sum
    ? null
    : `and all refunds of the sale with ${sum}, not ${totalCents}. Nothing changed. Send each refund with an id of its own.`
}
