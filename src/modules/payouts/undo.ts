import { withTransaction } from '../../database/client/transaction.ts'
import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { forbidden, invalid, notFound, refused } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { commissions } from '../../resources/commissions.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordChange, recordChanges } from '../history/record.ts'
import { updatePayoutInput } from './input.ts'
import { markFailed, type Reversal, readWithheld, unpay } from './mark.ts'
import { correct } from './payments/correct.ts'
import { recordFacts } from './payments/facts.ts'
import { openRunsOf } from './runs/find.ts'
import { undoPayoutInput } from './runs/input.ts'
import { findPayout } from './service.ts'
import { lockAffiliates, settleOpenPayouts } from './settle.ts'
import { inPayoutState } from './state.ts'
import { settledWith, withheldWith } from './withholding.ts'

/**
 * Takes back that a payout was marked as paid: nothing was paid. The payout is open again, and collects what is due
 * since. If debts exceed it by now, it is closed instead, and its commissions wait with the debts. A person has to be
 * an owner. Idempotent: an open payout stays as it is.
 * @throws NOT_FOUND; FORBIDDEN; INVALID_INPUT; REFUSED if the payment failed, or an open run pays what is due since
 */
export async function undoPayout(ctx: ProgramCtx, namedId: string, raw: unknown): Promise<void> {
  const { actor, program } = ctx
  if (actor.kind === 'person' && !actor.isOperator && actor.role !== 'owner')
    throw forbidden('Only an owner of the program can undo a payout.')
  const { id, affiliateId } = await findPayout(ctx, namedId)
  const { reason } = await parseInput(undoPayoutInput, raw)
  const programId = program.id
  await withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, programId, [affiliateId])
    const payout = await tx.payout.findUnique({ where: { programId_id: { programId, id } } })
    // An open payout that became empty meanwhile is gone.
    if (!payout) throw notFound('Payout', namedId)
    if (payout.failedAt) throw refused('The payment of this payout failed, so it is not marked as paid.')
    if (!payout.paidAt) return
    const now = ctx.now()
    await cancelPayment(tx, ctx, payout, reason, now)
    const why = { payout, reason: `the payout was undone: ${reason}`, given: reason }
    if (await isExceededByDebts(tx, payout, now)) return markFailed(tx, ctx, [why])
    await emptyNextPayout(tx, ctx, payout, now)
    await reopen(tx, ctx, why, now)
    await settleOpenPayouts(tx, ctx, [affiliateId], now)
  })
}

/**
 * Takes back a payment as the convention writes it: `paid_at` is blank.
 * @throws NOT_FOUND; INVALID_INPUT for another time of payment; as `undoPayout`
 */
export async function updatePayout(ctx: ProgramCtx, id: string, raw: unknown): Promise<void> {
  const payout = await findPayout(ctx, id)
  const { paidAt, reason = '`paid_at` was cleared over REST' } = await parseInput(updatePayoutInput, raw)
  if (paidAt && paidAt.getTime() !== payout.paidAt?.getTime())
    throw invalid([problem('paidAt', 'can only be cleared. To mark the payout as paid, use POST /payouts/{id}/pay')])
  if (paidAt === null) await undoPayout(ctx, id, { reason })
}

/** The payment was no payment: nothing of it is gone. */
async function cancelPayment(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { programId, id, amountCents }: Payout,
  reason: string,
  now: Date,
): Promise<void> {
  // A payout of 0, whose debts are all that was due, is paid without money.
  const ofNothing = { state: { in: ['paid' as const, 'unclaimed' as const] } }
  const isPaying = [{ goneCents: { gt: 0n } }, ofNothing]
  const where = { programId, payoutId: id, isExtra: false, OR: isPaying }
  const items = await tx.payoutRunItem.findMany({ where })
  const facts = items.map(({ id: itemId }) => ({ itemId, kind: 'cancelled' as const, reason }))
  await recordFacts(tx, ctx, facts, now)
  await tx.payoutRunItem.updateMany({ where, data: { state: 'cancelled', goneCents: 0n, reason, updatedAt: now } })
  const booked = (await readWithheld(tx, programId, [id])).reduce((sum, { cents }) => sum + cents, 0n)
  const differences = items.map((item) => ({
    item,
    deltaCents: amountCents - settledWith(item, item.goneCents),
    withheldCents: booked - withheldWith(item, item.goneCents),
    payout: null,
    reason: 'The payout was undone.',
  }))
  await correct(tx, ctx, differences, now)
}

/** Whether nothing would be left to pay with what is due since. */
async function isExceededByDebts(
  tx: Prisma.TransactionClient,
  { programId, affiliateId, currency, amountCents }: Payout,
  now: Date,
): Promise<boolean> {
  const { _sum } = await tx.commission.aggregate({
    where: { programId, affiliateId, currency, ...commissions.states.where('due', now) },
    _sum: { amountCents: true },
  })
  return amountCents + (_sum.amountCents ?? 0n) < 0n
}

/**
 * Frees the commissions that are due since the payment: an affiliate has one open payout in a currency. @throws REFUSED
 */
async function emptyNextPayout(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { programId, affiliateId, currency }: Payout,
  now: Date,
): Promise<void> {
  const next = await tx.payout.findFirst({ where: { programId, affiliateId, currency, ...inPayoutState.pending } })
  if (!next) return
  const run = (await openRunsOf(tx, programId, [next.id])).get(next.id)
  if (run) throw refused(`The next payout of the affiliate is in the open run ${run}. Finish or cancel that run first.`)
  await tx.commission.updateMany({ where: { programId, payoutId: next.id }, data: { payoutId: null } })
  const closed = {
    subject: 'payout' as const,
    subjectId: next.id,
    action: 'closed' as const,
    before: next,
    after: null,
  }
  await recordChanges(tx, ctx, [closed], now)
  await recordEvents(tx, ctx, eventsOf(next.id, ['payout.deleted']), now)
  await tx.payout.deleteMany({ where: { programId, id: next.id } })
}

async function reopen(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  why: Reversal & { given: string },
  now: Date,
): Promise<void> {
  const { payout } = why
  const commissionIds = await unpay(tx, ctx, [why], {}, now)
  const data = { paidAt: null, paidById: null, sentAt: null, reference: null, updatedAt: now }
  const key = { programId_id: { programId: payout.programId, id: payout.id } }
  const after = await tx.payout.update({ where: key, data })
  const what = { subject: 'payout', subjectId: payout.id, action: 'undone' } as const
  await recordChange(tx, ctx, what, payout, { ...after, reason: why.given }, now)
  const events = commissionIds.flatMap((id) => eventsOf(id, ['commission.updated']))
  await recordEvents(tx, ctx, [...events, ...eventsOf(payout.id, ['payout.updated'])], now)
}
