import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import { writeTogether } from '../../../database/client/write.ts'
import type { UnattributedSale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, notFound, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { findById } from '../../../kernel/lookup.ts'
import { newCustomer } from '../../customers/service.ts'
import { recordAction } from '../../history/record.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import { applyWaitingRefunds } from '../refunds/waiting.ts'
import type { Attribution } from '../report/attribute.ts'
import type { Decision, DroppedField } from '../report/decision.ts'
import { readSaleFacts, type SaleFacts } from '../report/facts.ts'
import { inForce } from '../report/in-force.ts'
import { readKept } from '../report/read-report.ts'
import { recordSale } from '../report/record.ts'
import { decideLocked, findKnownSale } from '../report/sale-transaction.ts'
import { keptSince } from './keep.ts'

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
    if (externalId !== null && (await findKnownSale(sql, programId, externalId)) !== null)
      throw refused('This sale was recorded in the meantime.')
    // The row is deleted first, so that of two parallel requests for the same sale the second fails.
    const kept = await tx.unattributedSale.findFirst({ where })
    const { count: deleted } = await tx.unattributedSale.deleteMany({ where })
    if (!kept || deleted === 0) throw notFound('Unattributed sale', id)
    const now = ctx.now()
    const { amountCents, currency, occurredAt } = kept
    const { input, dropped } = readKept(kept)
    const { email = null, customerName = null, billingCustomerId = null } = input
    const customer = email === null ? null : newCustomer(programId, { email, name: customerName }, now)
    const { facts, attribution } = await decideLocked(sql, { programId, customer }, async () => {
      const named = isId(affiliateId) ? affiliateId : null
      const facts = await readSaleFacts(sql, { programId, externalId: null, email, affiliateId: named, occurredAt })
      return { facts, attribution: attributeByHand(kept, dropped, facts) }
    })
    const sale = { externalId, customerName, billingCustomerId, amountCents, currency, occurredAt }
    const recorded = recordSale(ctx, sale, facts, await inForce(sql, attribution, occurredAt), now)
    await writeTogether(sql, recorded.writes)
    if (externalId !== null) await applyWaitingRefunds(ctx, tx, [externalId])
    const what = { subject: 'unattributed_sale', subjectId: id, action: 'attributed' } as const
    await recordAction(tx, ctx, what, null, { affiliateId }, now)
    return recorded.sale.id
  })
}

/** The customer's referral of the affiliate, or a new one. @throws INVALID_INPUT; REFUSED if it is not active */
function attributeByHand(
  { decision }: UnattributedSale,
  dropped: DroppedField[],
  { affiliate, ofAffiliate: referral, campaign }: SaleFacts,
): Attribution {
  if (!affiliate || !campaign) throw invalid([{ field: 'affiliateId', message: 'Affiliate not found.' }])
  if (affiliate.state !== 'active') throw refused('The affiliate is not active.', ['affiliate_not_active'])
  const { signals } = decision as Pick<Decision, 'signals'>
  return {
    signal: 'manual',
    referral,
    affiliate,
    campaign: referral?.campaign ?? campaign,
    couponId: null,
    heldReason: null,
    signals: [...signals, { signal: 'manual', outcome: 'matched' }],
    dropped,
  }
}
