import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import { Prisma, type Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, type Problem, refused, unavailable } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { refundedItems } from '../../commissions/lines.ts'
import { correctChangedSales } from '../../commissions/tier-corrections.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordAction } from '../../history/record.ts'
import { lockAffiliates, settleOpenPayouts } from '../../payouts/settle.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import type { SoldItem } from '../../rules/sale.ts'
import type { Decision, FeedReport } from '../decision.ts'
import { findSale } from '../find.ts'
import { readSaleItems, soldItems, storedList } from '../items/read-items.ts'
import { changeReason } from '../timeline/reasons.ts'
import { reevaluate } from '../timeline/reevaluate.ts'
import { changeSaleInput, type SaleChange } from './input.ts'
import { type MovedBy, moveSale } from './move.ts'

/**
 * Changes a recorded sale, and books what it and the sales after it earn instead. An unpaid commission is amended; one
 * that is paid or sent is followed by a correction. An amount that a person set, and a void by a person, stay.
 * Idempotent.
 * @param reason for the history @throws NOT_FOUND; INVALID_INPUT; REFUSED if the sale cannot be changed so
 */
export async function changeSale(
  ctx: ProgramCtx,
  { saleId, ...raw }: { saleId: string } & Record<string, unknown>,
  reason?: string,
): Promise<string> {
  const { id } = await findSale(ctx, saleId)
  const { reason: given, ...change } = await parseInput(changeSaleInput, raw)
  await withTransaction(ctx.db, (tx) => changeSaleWithin(ctx, tx, id, change, reason ?? given ?? 'it was corrected'))
  return id
}

/** What a feed says now of a sale that it has recorded. The sale must be as it was read. */
export type ByFeed = MovedBy & { report: FeedReport; coupons: string[]; updatedAt: Date }

/**
 * As `changeSale`, in the caller's transaction. @param by set if a feed changes the sale: then an affiliate must be
 * where its signals lead @throws UNAVAILABLE if somebody else changes the sale meanwhile
 */
export async function changeSaleWithin(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  saleId: string,
  change: SaleChange & { paymentNumber?: number | null },
  reason: string,
  by: ByFeed | null = null,
): Promise<void> {
  const programId = ctx.program.id
  const where = { programId_id: { programId, id: saleId } }
  const { externalId, customerId, referralId } = await tx.sale.findUniqueOrThrow({ where })
  await lockInOrder(sqlWithin(tx), { programId, externalId, customer: customerId, referralId })
  const { affiliateId } = await tx.sale.findUniqueOrThrow({ where })
  const to = change.affiliateId ?? affiliateId
  const affiliateIds = [...new Set([affiliateId, to])].filter(isId)
  await lockAffiliates(tx, programId, affiliateIds)
  const before = await tx.sale.findUniqueOrThrow({ where, include: { refunds: { where: { reversedAt: null } } } })
  const { refunds, ...sale } = before
  if (by && sale.updatedAt.getTime() !== by.updatedAt.getTime()) throw unavailable()
  const after = changed(sale, change, refunds.flatMap(refundedItems))
  const isMoved = to !== sale.affiliateId
  if (!isMoved && !by && isSame(sale, after)) return
  if (sale.decision === null)
    throw refused('The sale was imported, so what it earns is not calculated here. Amend its commission instead.')
  const now = ctx.now()
  const { items, ...plain } = after
  const stored = {
    ...plain,
    ...(by && { decision: toldBy(by, sale.decision as Decision) }),
    items: (items as Prisma.InputJsonValue) ?? Prisma.DbNull,
  }
  await tx.sale.update({ where, data: { ...stored, updatedAt: now } })
  const what = { subject: 'sale', subjectId: saleId, action: 'updated' } as const
  if (isMoved) await moveSale(ctx, tx, { ...sale, ...(stored.decision && { decision: stored.decision }) }, to, by, now)
  const moved = await tx.sale.findUniqueOrThrow({ where })
  await recordAction(tx, ctx, what, { ...sale, reason: null }, { ...moved, reason }, now)
  await recordEvents(tx, ctx, eventsOf(saleId, ['sale.updated']), now)
  const because = changeReason(sale, reason)
  await reevaluate(ctx, tx, moved, because, now)
  // Those of the affiliate who had it.
  if (isMoved) await reevaluate(ctx, tx, sale, because, now, new Set())
  await correctChangedSales(ctx, sqlWithin(tx), isMoved ? [moved, sale] : [moved], now)
  await settleOpenPayouts(tx, ctx, affiliateIds, now)
}

/** The decision with what a feed says now. Codes can decide which rule applies. */
const toldBy = ({ report, coupons }: ByFeed, decision: Decision): Decision => {
  return { ...decision, feed: report, ...(coupons.length > 0 && { coupons }) }
}

type Changeable = Pick<Sale, 'amountCents' | 'items' | 'billingInterval' | 'paymentNumber'>

/** Whether two are the same sale to what earns. */
export const isSame = (a: Changeable, b: Changeable): boolean =>
  a.amountCents === b.amountCents &&
  a.billingInterval === b.billingInterval &&
  a.paymentNumber === b.paymentNumber &&
  JSON.stringify(soldItems(a).map(textOf)) === JSON.stringify(soldItems(b).map(textOf))

/** The database does not keep the order of keys in JSON. */
const textOf = ({ productId, name, amountCents, quantity }: SoldItem) => [productId, name, amountCents, quantity]

/** The sale with the change. @throws INVALID_INPUT */
function changed(
  sale: Sale,
  change: SaleChange & { paymentNumber?: number | null },
  refunded: readonly { productId: string; amountCents: string }[],
): Changeable {
  const amountCents = change.amountCents ?? sale.amountCents
  const read = readSaleItems(change.items, amountCents)
  if (read.problems.length > 0) throw invalid(read.problems)
  const items = change.items === undefined ? soldItems(sale) : (read.value ?? [])
  const problems: Problem[] = []
  if (amountCents < sale.refundedCents)
    problems.push(problem('amountCents', `must be at least the ${sale.refundedCents} that were refunded`))
  const sum = items.reduce((total, item) => total + BigInt(item.amountCents), 0n)
  if (change.items === undefined && sum > amountCents)
    problems.push(problem('items', `must be given too: those of the sale add up to ${sum}, and it is ${amountCents}`))
  for (const [productId, cents] of sumByProduct(refunded))
    if ((sumByProduct(items).get(productId) ?? 0n) < cents)
      problems.push(problem('items', `must have the ${cents} of the product ${productId} that were refunded`))
  if (problems.length > 0) throw invalid(problems)
  return {
    amountCents,
    items: storedList(items.length === 0 ? null : [...items]),
    billingInterval: change.billingInterval === undefined ? sale.billingInterval : change.billingInterval,
    paymentNumber: change.paymentNumber === undefined ? sale.paymentNumber : change.paymentNumber,
  }
}

function sumByProduct(items: readonly { productId: string; amountCents: string }[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { productId, amountCents } of items) sums.set(productId, (sums.get(productId) ?? 0n) + BigInt(amountCents))
  return sums
}
