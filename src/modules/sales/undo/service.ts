import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import { Prisma, type Referral, type Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordAction } from '../../history/record.ts'
import { lockAffiliates, settleOpenPayouts } from '../../payouts/settle.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import { sourceOf } from '../../referrals/of-customer.ts'
import type { Decision } from '../decision.ts'
import { findSale } from '../find.ts'
import { changeReason } from '../timeline/reasons.ts'
import { reevaluate } from '../timeline/reevaluate.ts'
import { undoAttributionInput } from './input.ts'

/**
 * Takes back that a person gave a sale to an affiliate. The sale waits among those without an affiliate again, and
 * earns nothing: an unpaid commission is void, and one that is paid or sent is followed by a correction. A referral
 * that the attribution began ends, so that later sales do not follow it. Idempotent.
 * @returns the id of the sale
 * @throws NOT_FOUND; INVALID_INPUT without a reason; REFUSED if no person attributed the sale, or it was refunded
 */
export async function undoAttribution(ctx: ProgramCtx, saleId: string, raw: unknown): Promise<string> {
  const { reason } = await parseInput(undoAttributionInput, raw)
  const { id } = await findSale(ctx, saleId)
  await withTransaction(ctx.db, async (tx) => {
    const programId = ctx.program.id
    const where = { programId_id: { programId, id } }
    const { externalId, customerId, referralId, affiliateId } = await tx.sale.findUniqueOrThrow({ where })
    await lockInOrder(sqlWithin(tx), { programId, externalId, customer: customerId, referralId })
    await lockAffiliates(tx, programId, [affiliateId])
    const { referral, ...sale } = await tx.sale.findUniqueOrThrow({ where, include: { referral: true } })
    if (sale.noCommissionReason === 'attribution_undone') return
    rejectOthers(sale, referral)
    const now = ctx.now()
    const data = { noCommissionReason: 'attribution_undone', updatedAt: now } as const
    const undone = await tx.sale.update({ where, data })
    await keepAgain(tx, sale, referral, now)
    if (beganByHand(referral)) await endSince(tx, referral, now)
    const what = { subject: 'sale', subjectId: id, action: 'undone' } as const
    await recordAction(tx, ctx, what, { affiliateId: sale.affiliateId }, { reason }, now)
    await recordEvents(tx, ctx, eventsOf(id, ['sale.updated']), now)
    await reevaluate(ctx, tx, undone, changeReason(sale, reason), now)
    await settleOpenPayouts(tx, ctx, [sale.affiliateId], now)
  })
  return id
}

function rejectOthers({ attributedBy, decision, refundedCents }: Sale, referral: Referral): void {
  // By the customer's e-mail, or as the same customer of the billing system.
  const followed = (attributedBy === 'email' || attributedBy === 'referral_id') && beganByHand(referral)
  if (attributedBy !== 'manual' && !followed)
    throw refused('No person attributed this sale, so there is nothing to undo. Change its affiliate instead.')
  if (decision === null) throw refused('The sale was imported, so what it earns is not calculated here.')
  if (refundedCents > 0n) throw refused('The sale was refunded, so its attribution cannot be undone.')
}

/** Whether a person began the referral, by giving a sale or a customer to the affiliate. */
const beganByHand = (referral: Referral): boolean => sourceOf(referral) === 'by_hand'

/** No sale belongs to the referral because of the customer's e-mail any more, also not one that is reported late. */
async function endSince(tx: Prisma.TransactionClient, referral: Referral, now: Date): Promise<void> {
  const { programId, id, createdAt, becameLeadAt } = referral
  const endedAt = becameLeadAt && becameLeadAt < createdAt ? becameLeadAt : createdAt
  await tx.referral.update({ where: { programId_id: { programId, id } }, data: { endedAt, updatedAt: now } })
}

/** The sale waits for an affiliate again, with what is known of its report. */
async function keepAgain(
  tx: Prisma.TransactionClient,
  sale: Sale,
  { billingCustomerId }: Referral,
  now: Date,
): Promise<void> {
  const { programId, id: saleId, externalId, customerId, customerName, occurredAt } = sale
  const { amountCents, currency, billingInterval, paymentNumber, items } = sale
  const customer =
    customerId && (await tx.customer.findUnique({ where: { programId_id: { programId, id: customerId } } }))
  const { signals, dropped = [] } = sale.decision as Decision
  const tried = signals.filter(({ signal }) => signal !== 'manual')
  await tx.unattributedSale.create({
    data: {
      programId,
      id: mintId(now),
      saleId,
      externalId,
      email: customer ? customer.email : null,
      customerName,
      billingCustomerId,
      amountCents,
      currency,
      billingInterval,
      paymentNumber,
      items: (items as Prisma.InputJsonValue) ?? Prisma.DbNull,
      decision: { signals: tried, dropped } as unknown as Prisma.InputJsonValue,
      occurredAt,
      createdAt: now,
      updatedAt: now,
    },
  })
}
