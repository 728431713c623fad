import { sqlWithin } from '../../../database/client/sql.ts'
import type { Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { correctChangedSales } from '../../commissions/tier-corrections.ts'
import { settleOpenPayouts } from '../../payouts/settle.ts'
import { bookSales, type Difference } from './book.ts'
import { differs } from './differ.ts'
import { type Evaluated, evaluate } from './evaluate.ts'
import { bySale, type Place } from './fact.ts'
import { isTimed } from './fact-of.ts'
import { hasLaterSales } from './late.ts'
import { openTimeline, type Timeline } from './open.ts'
import { refundReason } from './reasons.ts'

/**
 * Books the differences between what the sales after a fact have earned and what they should have. A commission that a
 * person set or voided stays.
 * @param changed the ids of sales whose own facts changed @param reason for the history of the commissions
 */
export async function bookDifferences(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  { sales, facts, affiliateIds }: Timeline,
  evaluated: ReadonlyMap<string, Evaluated>,
  { after, changed = new Set(), reason }: { after: Place; changed?: ReadonlySet<string>; reason: string },
  now: Date,
): Promise<void> {
  const byId = new Map(sales.map((sale) => [sale.id, sale]))
  const differences: Difference[] = []
  for (const fact of facts) {
    const sale = byId.get(fact.id)
    const result = evaluated.get(fact.id)
    if (!sale || !result || fact.stored || fact.setCents !== null || fact.voided) continue
    const isChanged = changed.has(fact.id)
    if (isChanged || (bySale(fact, after) >= 0 && differs(sale, result))) differences.push({ sale, evaluated: result })
  }
  if (differences.length === 0) return
  await bookSales(ctx, tx, differences, reason, now)
  const touched = differences.map(({ sale }) => sale)
  await correctChangedSales(ctx, sqlWithin(tx), touched, now)
  await settleOpenPayouts(tx, ctx, affiliateIds, now)
}

/** Evaluates what a changed sale and those after it earn, and books the differences. */
export async function reevaluate(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  sale: Sale,
  reason: string,
  now: Date,
  changed: ReadonlySet<string> = new Set([sale.id]),
): Promise<void> {
  const timeline = await openTimeline(ctx, tx, { ...sale, at: sale.occurredAt })
  const evaluated = evaluate(timeline.facts, ctx.program.timeZone)
  await bookDifferences(
    ctx,
    tx,
    timeline,
    evaluated,
    { after: { ...sale, isTimed: isTimed(sale) }, changed, reason },
    now,
  )
}

/**
 * Evaluates again after a refund of a sale or its reversal, where that has to: if the sale was evaluated again before,
 * so that the refund alone does not say what it earns, or if sales that count it are later than the refund.
 */
export async function reevaluateRefunded(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  sale: Sale,
  at: Date,
  now: Date,
): Promise<void> {
  const { programId, id } = sale
  const again = { correctsSaleId: id }
  const amended = { saleId: id, events: { some: { kind: 'recalculated' } } } as const
  const isEvaluated = (await tx.commission.count({ where: { programId, OR: [again, amended] } })) > 0
  if (!isEvaluated && !(await hasLaterSales(sqlWithin(tx), sale, at))) return
  const refunded = await tx.sale.findUniqueOrThrow({ where: { programId_id: { programId, id } } })
  await reevaluate(ctx, tx, refunded, refundReason(sale), now)
}
