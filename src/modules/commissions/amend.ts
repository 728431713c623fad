import type { z } from 'zod'
import { withTransaction } from '../../database/transaction.ts'
import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { type Fact, recordMoneyEvents } from '../history/money-events.ts'
import { lockAffiliates, settleOpenPayouts } from '../payouts/settle.ts'
import { amendCommissionInput } from './input.ts'
import { findCommission } from './service.ts'

type Asked = z.output<typeof amendCommissionInput>
/** By how much the clock of a client may be ahead. */
const clockSkewMs = 60_000

type Change = Pick<Prisma.CommissionUncheckedUpdateManyInput, 'amountCents' | 'dueAt' | 'paidAt' | 'payoutId'>

/**
 * Changes the amount and the due date of a commission that is neither paid nor void, marks it as paid by itself, outside
 * of any payout, or takes such a payment back, and settles the open payout again: all of it or nothing. What is so
 * already is no change, so that a request can be repeated.
 *
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED where the commission is void, was paid, is held, or is what a refund takes back
 */
export async function amendCommission(ctx: ProgramCtx, namedId: string, raw: unknown): Promise<void> {
  const { id, affiliateId } = await findCommission(ctx, namedId)
  const asked = await parseInput(amendCommissionInput, raw, ({ paidAt }) =>
    paidAt && paidAt.getTime() > ctx.now().getTime() + clockSkewMs ? [problem('paidAt', "can't be in the future")] : [],
  )
  if (Object.keys(asked).length === 0) return
  await withTransaction(ctx.db, async (tx) => {
    const programId = ctx.program.id
    await lockAffiliates(tx, programId, [affiliateId])
    const before = await tx.commission.findUniqueOrThrow({ where: { programId_id: { programId, id } } })
    await demandAllowed(tx, before, asked)
    const facts = factsOf(before, asked)
    if (facts.length === 0) return
    const now = ctx.now()
    const { count } = await tx.commission.updateMany({
      where: { programId, id, paidAt: before.paidAt, voidedAt: before.voidedAt },
      data: { ...changeOf(asked), updatedAt: now },
    })
    if (count !== 1) throw new Error(`The commission ${id} changed under its affiliate's lock.`)
    await recordMoneyEvents(tx, ctx, facts, now)
    await settleOpenPayouts(tx, ctx, [affiliateId], now)
  })
}

/** It leaves its open payout; where it is still due and unpaid, settling brings it back. */
const changeOf = (asked: Asked): Change => ({ ...asked, payoutId: null })

const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()

/** What happens to the commission, in the order in which it is told. */
function factsOf(commission: Commission, { amountCents, dueAt, paidAt }: Asked): Fact[] {
  const facts: Fact[] = []
  if (paidAt === null && commission.paidAt) facts.push({ commission, kind: 'unpaid', deltaCents: 0n })
  if (amountCents !== undefined && amountCents !== commission.amountCents)
    facts.push({ commission, kind: 'amended', deltaCents: amountCents - commission.amountCents })
  if (dueAt && !isSame(dueAt, commission.dueAt)) facts.push({ commission, kind: 'rescheduled', deltaCents: 0n, dueAt })
  if (paidAt && !commission.paidAt) facts.push({ commission, kind: 'paid', deltaCents: 0n, paidAt })
  return facts
}

/** @throws REFUSED */
async function demandAllowed(tx: Prisma.TransactionClient, commission: Commission, asked: Asked): Promise<void> {
  const { amountCents, dueAt, paidAt } = asked
  const isGiven = amountCents !== undefined || dueAt !== undefined || Boolean(paidAt)
  if (isGiven && commission.refundId) throw refused("What a refund takes back can't be changed. Void it to let it be.")
  if (isGiven && commission.voidedAt) throw refused("A void commission can't be changed.")
  if (paidAt && commission.heldReason)
    throw refused("A commission that is held can't be marked as paid. Approve it first.")
  if (!commission.paidAt) return
  if (paidAt === null) return demandRevocable(tx, commission)
  const isOtherPayment = paidAt !== undefined && !isSame(paidAt, commission.paidAt)
  if (isOtherPayment || factsOf(commission, asked).length > 0) throw refused("A paid commission can't be changed.")
}

/**
 * A payment is taken back only where nothing was built on it: neither a payout, nor a refund that took something back
 * because of it, nor a sale of which nothing remains, whose commission would have become void instead.
 */
async function demandRevocable(tx: Prisma.TransactionClient, commission: Commission): Promise<void> {
  const { programId, saleId, payoutId } = commission
  if (payoutId) throw refused("A commission that was paid in a payout can't be changed.")
  const sale = await tx.sale.findUniqueOrThrow({
    where: { programId_id: { programId, id: saleId } },
    include: { commissions: { where: { refundId: { not: null } } } },
  })
  const isGivenBack = sale.refundedCents > 0n && sale.refundedCents === sale.amountCents
  if (isGivenBack || sale.commissions.length > 0)
    throw refused("The sale was refunded after its commission was paid, so the payment can't be taken back.")
}
