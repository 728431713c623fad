import { isUniqueViolation } from '../../../database/errors.ts'
import { withTransaction } from '../../../database/transaction.ts'
import type { Commission, Prisma, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, type Problem, refused } from '../../../kernel/errors.ts'
import { isId, mintId } from '../../../kernel/ids.ts'
import { needsOneOf, parseInput, problem } from '../../../kernel/input/parse.ts'
import { refundEffect } from '../../../kernel/money/refund-effect.ts'
import { earningRule } from '../../commissions/calculate.ts'
import { earnedCommission } from '../../commissions/earned.ts'
import { eventsOf, type NewEvent, recordEvents } from '../../events/record.ts'
import { recordMoneyEvents } from '../../history/money-events.ts'
import { lockAffiliates, settleOpenPayouts } from '../../payouts/settle.ts'
import { type RefundInput, refundSaleInput } from './input.ts'

/** `hint` says how a repeated report differs from the refund that was recorded. */
export type RefundReport = { duplicate: boolean; refund: Refund; hint: string | null }

const noSale: Problem = { message: 'One of sale_id, external_id must be provided.' }
const twoAmounts: Problem = { message: 'Give either amount_cents or refunded_total_cents.' }
const unknownSale: Problem = { message: 'Sale not found.' }

/**
 * Records a full or partial refund and its effect on the commission, in one transaction. An unpaid commission is
 * recalculated by its own rule, never raised, and void after a full refund. A paid one stays: a negative commission (a
 * debt), due at once, lowers the next payout. A known external id returns the first refund.
 * @throws INVALID_INPUT; REFUSED if the sale is already refunded in full
 */
export async function refundSale(ctx: ProgramCtx, raw: unknown): Promise<RefundReport> {
  const input = await parseInput(refundSaleInput, raw, (readable, problems) => [
    ...needsOneOf(['saleId', 'externalId'], noSale)(readable, problems),
    ...(readable.amountCents !== undefined && readable.refundedTotalCents !== undefined ? [twoAmounts] : []),
  ])
  const sale = await findSale(ctx, input)
  const duplicate = await findDuplicate(ctx.db, sale, input)
  if (duplicate) return duplicate
  try {
    return await withTransaction(ctx.db, (tx) => recordRefund(ctx, tx, sale, input))
  } catch (error) {
    const recorded = isUniqueViolation(error, 'external_id') ? await findDuplicate(ctx.db, sale, input) : null
    if (recorded) return recorded
    throw error
  }
}

async function recordRefund(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  found: Sale,
  input: RefundInput,
): Promise<RefundReport> {
  const { programId, id: saleId, affiliateId } = found
  const { refundedTotalCents, refundExternalId } = input
  await lockAffiliates(tx, programId, [affiliateId])
  // The same refund may have been recorded while this one waited for the lock, and may have left nothing to refund.
  const duplicate = await findDuplicate(tx, found, input)
  if (duplicate) return duplicate
  const sale = await tx.sale.findUniqueOrThrow({ where: { programId_id: { programId, id: saleId } } })
  const now = ctx.now()
  const open = sale.amountCents - sale.refundedCents
  const amountCents = refundedTotalCents === undefined ? input.amountCents : refundedTotalCents - sale.refundedCents
  if (refundedTotalCents !== undefined && amountCents !== undefined && amountCents <= 0n)
    return repeatedTotal(tx, sale, refundedTotalCents)
  if (open === 0n) throw refused('This sale is already refunded in full.', ['sale_refunded_in_full'])
  if (amountCents !== undefined && amountCents > open)
    throw invalid([problem('amountCents', `exceeds the ${open} that can still be refunded`)])
  const refund = await tx.refund.create({
    data: {
      programId,
      id: mintId(now),
      saleId,
      externalId: refundExternalId ?? null,
      amountCents: amountCents ?? open,
      createdAt: now,
    },
  })
  const { count } = await tx.sale.updateMany({
    where: { programId, id: saleId, refundedCents: sale.refundedCents },
    data: { refundedCents: { increment: refund.amountCents }, updatedAt: now },
  })
  if (count !== 1) throw new Error(`The sale ${saleId} changed under its affiliate's lock.`)
  const adjusted = await adjustCommission(ctx, tx, refund, open - refund.amountCents, now)
  await recordEvents(tx, ctx, [...eventsOf(saleId, ['sale.updated', 'sale.refunded']), ...adjusted], now)
  await settleOpenPayouts(tx, ctx, [affiliateId], now)
  return { duplicate: false, refund, hint: null }
}

/** The answer to a total that was reached before: the last refund. */
async function repeatedTotal(tx: Prisma.TransactionClient, sale: Sale, totalCents: bigint): Promise<RefundReport> {
  const { programId, id: saleId, refundedCents } = sale
  const refund = await tx.refund.findFirstOrThrow({ where: { programId, saleId }, orderBy: { id: 'desc' } })
  const hint =
    totalCents === refundedCents ? null : `${refundedCents} of the sale are refunded already, more than ${totalCents}.`
  return { duplicate: true, refund, hint }
}

/** Lowers or voids the commission of the refunded sale, or records a debt if it is paid. Returns the events. */
async function adjustCommission(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  refund: Refund,
  remainingCents: bigint,
  now: Date,
): Promise<NewEvent[]> {
  const { programId, saleId } = refund
  const commissions = await tx.commission.findMany({ where: { programId, saleId } })
  const earned = earnedCommission(commissions)
  if (!earned || earned.voidedAt) return []
  // Debts of earlier refunds count even if they were voided since, so that a cancelled debt is not created again.
  const currentCents = commissions.reduce((sum, { amountCents }) => sum + amountCents, 0n)
  const isPaid = earned.paidAt !== null
  const effect = refundEffect(earningRule(earned), { isPaid, currentCents, remainingCents })
  const key = { programId, id: earned.id, paidAt: null, voidedAt: null }
  switch (effect.kind) {
    case 'same':
      return []
    case 'debt':
      return eventsOf(await insertDebt(ctx, tx, earned, refund, -effect.cents, now), ['commission.created'])
    case 'voided': {
      await tx.commission.updateMany({ where: key, data: { voidedAt: now, payoutId: null, updatedAt: now } })
      const reason = `sale refunded in full by ${refund.id}`
      await recordMoneyEvents(tx, ctx, [{ commission: earned, kind: 'voided', deltaCents: 0n, reason }], now)
      return eventsOf(earned.id, ['commission.updated', 'commission.voided'])
    }
    case 'lowered': {
      await tx.commission.updateMany({ where: key, data: { amountCents: effect.cents, updatedAt: now } })
      const reason = `sale refunded in part by ${refund.id}`
      const deltaCents = effect.cents - currentCents
      await recordMoneyEvents(tx, ctx, [{ commission: earned, kind: 'refunded', deltaCents, reason }], now)
      return eventsOf(earned.id, ['commission.updated'])
    }
  }
}

/** Inserts the negative commission of a refund after payment, and returns its id. It is due at once. */
async function insertDebt(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  earned: Commission,
  refund: Refund,
  amountCents: bigint,
  now: Date,
): Promise<string> {
  const commission = {
    ...earned,
    id: mintId(now),
    refundId: refund.id,
    payoutId: null,
    amountCents,
    ruleDaysBeforeDue: 0,
    occurredAt: now,
    dueAt: now,
    paidAt: null,
    dueNotedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await tx.commission.create({ data: commission })
  const reason = `sale refunded after its commission was paid, by ${refund.id}`
  await recordMoneyEvents(tx, ctx, [{ commission, kind: 'earned', deltaCents: amountCents, reason }], now)
  return commission.id
}

/** If both ids are given, they must belong to the same sale. @throws INVALID_INPUT */
async function findSale(ctx: ProgramCtx, { saleId, externalId }: RefundInput): Promise<Sale> {
  const isReadable = saleId === undefined || isId(saleId)
  const sale = isReadable
    ? await ctx.db.sale.findFirst({ where: { programId: ctx.program.id, id: saleId, externalId } })
    : null
  if (!sale) throw invalid([{ ...unknownSale, field: saleId === undefined ? 'externalId' : 'saleId' }])
  return sale
}

/** The refund that was recorded with the same external id. @throws INVALID_INPUT if that was for another sale */
async function findDuplicate(
  db: Prisma.TransactionClient,
  sale: Sale,
  { refundExternalId: externalId, amountCents }: RefundInput,
): Promise<RefundReport | null> {
  if (externalId === undefined) return null
  const key = { programId_externalId: { programId: sale.programId, externalId } }
  const refund = await db.refund.findUnique({ where: key })
  if (refund && refund.saleId !== sale.id)
    throw invalid([problem('refundExternalId', 'belongs to a refund of another sale')])
  if (!refund) return null
  const isOther = amountCents !== undefined && amountCents !== refund.amountCents
  const hint = isOther
    ? `The refund ${externalId} was recorded with ${refund.amountCents}, not ${amountCents}. Nothing changed. Send refunded_total_cents if the amount is the sum of several refunds.`
    : null
  return { duplicate: true, refund, hint }
}
