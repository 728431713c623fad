import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import { Prisma, type Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, type Problem, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { refundedItems } from '../../commissions/lines.ts'
import { correctChangedSales } from '../../commissions/tier-corrections.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordAction } from '../../history/record.ts'
import { lockAffiliates, settleOpenPayouts } from '../../payouts/settle.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import type { SoldItem } from '../../rules/rule.ts'
import { findSale } from '../find.ts'
import { readSaleItems, soldItems, storedList } from '../items/read.ts'
import { changeReason } from '../timeline/reasons.ts'
import { reevaluate } from '../timeline/reevaluate.ts'
import { changeSaleInput, type SaleChange } from './input.ts'
import { moveSale } from './move.ts'

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

/** As `changeSale`, in the caller's transaction. */
export async function changeSaleWithin(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  saleId: string,
  change: SaleChange,
  reason: string,
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
  const after = changed(sale, change, refunds.flatMap(refundedItems))
  const isMoved = to !== sale.affiliateId
  if (!isMoved && isSame(sale, after)) return
  if (sale.decision === null)
    throw refused('The sale was imported, so what it earns is not calculated here. Amend its commission instead.')
  const now = ctx.now()
  const { amountCents, items, billingInterval } = after
  const stored = { amountCents, items: (items as Prisma.InputJsonValue) ?? Prisma.DbNull, billingInterval }
  await tx.sale.update({ where, data: { ...stored, updatedAt: now } })
  const what = { subject: 'sale', subjectId: saleId, action: 'updated' } as const
  if (isMoved) await moveSale(ctx, tx, sale, to, now)
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

type Changeable = Pick<Sale, 'amountCents' | 'items' | 'billingInterval'>

const isSame = (a: Changeable, b: Changeable): boolean =>
  a.amountCents === b.amountCents &&
  a.billingInterval === b.billingInterval &&
  JSON.stringify(soldItems(a).map(textOf)) === JSON.stringify(soldItems(b).map(textOf))

/** The database does not keep the order of keys in JSON. */
const textOf = ({ productId, name, amountCents, quantity }: SoldItem) => [productId, name, amountCents, quantity]

/** The sale with the change. @throws INVALID_INPUT */
function changed(
  sale: Sale,
  change: SaleChange,
  refunded: readonly { productId: string; amountCents: string }[],
): Changeable {
  const amountCents = change.amountCents ?? sale.amountCents
  const read = readSaleItems(change.items, amountCents)
  const items = change.items === undefined ? soldItems(sale) : (read.value ?? [])
  const problems: Problem[] = [...read.problems]
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
  }
}

function sumByProduct(items: readonly { productId: string; amountCents: string }[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { productId, amountCents } of items) sums.set(productId, (sums.get(productId) ?? 0n) + BigInt(amountCents))
  return sums
}
