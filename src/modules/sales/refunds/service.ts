import { isUniqueViolation } from '../../../database/client/errors.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { addDays } from '../../../kernel/dates.ts'
import { invalid, type Problem } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { needsOneOf, parseInput } from '../../../kernel/input/parse.ts'
import { findSaleByExternalId } from '../by-external-id.ts'
import { readRefundItems } from '../items/read-items.ts'
import { type RefundInput, refundSaleInput } from './input.ts'
import { findDuplicate, type RefundReport, recordRefund } from './record.ts'
import { keepRefund } from './waiting.ts'

const noSale: Problem = { message: 'Give the sale by its id or by its external id.' }
const twoAmounts: Problem = { message: 'Give either an amount or the refunded total, not both.' }
const tooFarAhead: Problem = { field: 'occurredAt', message: 'may lie at most one day ahead' }
const unknownSale: Problem = { message: 'Sale not found.' }

/**
 * Records a full or partial refund and its effect on the commission, in one transaction. An unpaid commission is
 * recalculated by its own rule, never raised, and void after a full refund. A paid one stays: a negative commission (a
 * debt), due at once, lowers the next payout. A known external id returns the first refund. If no sale has the external
 * id yet, the refund waits for it.
 * @throws INVALID_INPUT; REFUSED if the sale is already refunded in full
 */
export async function refundSale(ctx: ProgramCtx, raw: unknown): Promise<RefundReport> {
  const given = await parseInput(refundSaleInput, raw, (readable, problems) => [
    ...needsOneOf(['saleId', 'externalId'], noSale)(readable, problems),
    ...(readable.amountCents !== undefined && readable.refundedTotalCents !== undefined ? [twoAmounts] : []),
    ...(readable.occurredAt && readable.occurredAt > addDays(ctx.now(), 1) ? [tooFarAhead] : []),
    ...readRefundItems(readable.items, readable.amountCents).problems,
  ])
  const input: RefundInput = { ...given, items: readRefundItems(given.items, given.amountCents).value }
  const sale = await findSale(ctx, input)
  if (!sale) return keepRefund(ctx, input)
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

/**
 * If both ids are given, they must belong to the same sale. Null if no sale has the external id yet.
 *
 * @throws INVALID_INPUT for an unknown `saleId`
 */
async function findSale(ctx: ProgramCtx, { saleId, externalId }: RefundInput): Promise<Sale | null> {
  const programId = ctx.program.id
  if (saleId === undefined) return findSaleByExternalId(ctx.db, programId, externalId as string)
  const byId = isId(saleId) ? await ctx.db.sale.findFirst({ where: { programId, id: saleId } }) : null
  const isOfBoth =
    externalId === undefined ||
    byId?.externalId === externalId ||
    (await findSaleByExternalId(ctx.db, programId, externalId))?.id === byId?.id
  if (!byId || !isOfBoth) throw invalid([{ ...unknownSale, field: 'saleId' }])
  return byId
}
