import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound, refused } from '../../../kernel/errors.ts'
import { findById } from '../../../kernel/lookup.ts'
import { recordAction } from '../../history/record.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import type { SoldItem } from '../../rules/sale.ts'
import { recordByHand } from '../by-hand/attribute.ts'
import { findKnownSale } from '../report/facts.ts'
import { type KeptDecision, keptSince } from '../report/keep-unattributed.ts'
import { readCodes, readKept } from '../report/read-report.ts'
import { attributeAgain } from '../undo/again.ts'

/** The condition for unattributed sales that have not expired. */
export const stillKept = (ctx: ProgramCtx) => ({ programId: ctx.program.id, createdAt: { gte: keptSince(ctx.now()) } })

/**
 * Attributes a sale to an affiliate by hand, with the campaign's rules at the time of the sale and without regard to
 * expiry. Later sales of the customer belong to the same affiliate.
 * @returns the id of the sale
 * @throws NOT_FOUND; INVALID_INPUT for an unknown affiliate; REFUSED if the affiliate is not active, or the sale has
 *   been recorded since
 */
export async function attributeSale(ctx: ProgramCtx, id: string, affiliateId: string): Promise<string> {
  const where = { ...stillKept(ctx), id }
  const { externalId } = await findById('Unattributed sale', id, () => ctx.db.unattributedSale.findFirst({ where }))
  return withTransaction(ctx.db, async (tx) => {
    const sql = sqlWithin(tx)
    const programId = ctx.program.id
    await lockInOrder(sql, { programId, externalId })
    // The row is deleted first, so that of two parallel requests for the same sale the second fails.
    const kept = await tx.unattributedSale.findFirst({ where })
    const { count: deleted } = await tx.unattributedSale.deleteMany({ where })
    if (!kept || deleted === 0) throw notFound('Unattributed sale', id)
    const what = { subject: 'unattributed_sale', subjectId: id, action: 'attributed' } as const
    await recordAction(tx, ctx, what, null, { affiliateId }, ctx.now())
    if (kept.saleId !== null) return attributeAgain(ctx, tx, kept.saleId, affiliateId)
    if (externalId !== null && (await findKnownSale(sql, programId, externalId)) !== null)
      throw refused('This sale was recorded in the meantime.')
    const { amountCents, currency, billingInterval, paymentNumber, occurredAt } = kept
    const items = kept.items as SoldItem[] | null
    const { signals, dropped: unread = [], feed } = kept.decision as KeptDecision
    const { input, dropped: unusable } = readKept(kept)
    // What a feed could not use of its event stays in the explanation.
    const dropped = feed ? [...unread, ...unusable] : unusable
    const { email = null, customerName = null, billingCustomerId = null } = input
    const bought = { amountCents, currency, billingInterval, paymentNumber, items, occurredAt, isTimed: true }
    const report = { externalId, email, customerName, billingCustomerId, ...bought, coupons: readCodes(kept.coupon) }
    return recordByHand(ctx, tx, affiliateId, { ...report, signals, dropped, feed })
  })
}
