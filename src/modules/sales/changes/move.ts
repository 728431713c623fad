import { sqlWithin } from '../../../database/client/sql.ts'
import { writeTogether } from '../../../database/client/write.ts'
import type { Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { recordEvents } from '../../events/record.ts'
import { sentOf } from '../../payouts/sent.ts'
import { eventsOfProgress, insertsOf, newReferral, progressed, updatesOf } from '../../referrals/progress.ts'
import type { Decision } from '../report/decision.ts'
import { readSaleFacts } from '../report/facts.ts'

/**
 * Gives a sale to another affiliate: to the customer's referral of that affiliate, or a new one. Both affiliates are
 * locked. What the sale earns then is calculated by the caller.
 * @throws INVALID_INPUT for an unknown affiliate; REFUSED if it is not active, or something is paid or refunded
 */
export async function moveSale(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  sale: Sale,
  affiliateId: string,
  now: Date,
): Promise<void> {
  const programId = ctx.program.id
  await rejectFixed(tx, sale)
  const { customerId, occurredAt } = sale
  const customer =
    customerId && (await tx.customer.findUnique({ where: { programId_id: { programId, id: customerId } } }))
  const signals = { email: customer ? customer.email : null, affiliateId: isId(affiliateId) ? affiliateId : null }
  const facts = await readSaleFacts(sqlWithin(tx), { programId, externalId: null, occurredAt, ...signals })
  const { affiliate, campaign, ofAffiliate: known } = facts
  if (!affiliate || !campaign) throw invalid([{ field: 'affiliateId', message: 'Affiliate not found.' }])
  if (affiliate.state !== 'active') throw refused('The affiliate is not active.', ['affiliate_not_active'])
  const created = newReferral({ programId, id: affiliate.id }, campaign, { customerId, soldAt: occurredAt }, now)
  const referral = known ?? created
  const to = { referralId: referral.id, affiliateId: affiliate.id, campaignId: referral.campaignId }
  const became = known && progressed(known, 'conversion', { customerId, at: occurredAt })
  await writeTogether(sqlWithin(tx), known && became ? updatesOf(known, became, now) : insertsOf(created))
  await recordEvents(tx, ctx, eventsOfProgress(referral, 'conversion', known === null), now)
  const decision = sale.decision as Decision
  const manual = { signal: 'manual', outcome: 'matched' } as const
  const tried = decision.signals.filter(({ signal }) => signal !== 'manual')
  await tx.sale.update({
    where: { programId_id: { programId, id: sale.id } },
    data: { ...to, attributedBy: 'manual', decision: { ...decision, signals: [...tried, manual] }, updatedAt: now },
  })
  await tx.commission.updateMany({
    where: { programId, saleId: sale.id },
    data: { ...to, payoutId: null, updatedAt: now },
  })
  await leave(tx, sale, now)
}

/** @throws REFUSED */
async function rejectFixed(tx: Prisma.TransactionClient, { programId, id: saleId }: Sale): Promise<void> {
  const commissions = await tx.commission.findMany({
    where: { programId, OR: [{ saleId }, { correctsSaleId: saleId }] },
  })
  const isPaid = commissions.some(({ paidAt, correctsSaleId }) => paidAt !== null || correctsSaleId !== null)
  if (isPaid || (await sentOf(tx, commissions)).length > 0)
    throw refused("The commission of the sale is paid or sent, so the affiliate can't be changed.")
  if ((await tx.refund.count({ where: { programId, saleId } })) > 0)
    throw refused("The sale was refunded, so the affiliate can't be changed.")
}

/** A referral without any sale is a lead again, unless it was imported as a conversion. */
async function leave(tx: Prisma.TransactionClient, { programId, referralId: id }: Sale, now: Date): Promise<void> {
  const isImported = await tx.importedRecord.count({ where: { programId, kind: 'referral', id } })
  if (isImported > 0 || (await tx.sale.count({ where: { programId, referralId: id } })) > 0) return
  const data = { becameConversionAt: null, updatedAt: now }
  const { affiliateId, linkId, couponId } = await tx.referral.update({
    where: { programId_id: { programId, id } },
    data,
  })
  const less = { conversions: { decrement: 1 } }
  await tx.affiliate.update({ where: { programId_id: { programId, id: affiliateId } }, data: less })
  if (linkId) await tx.affiliateLink.update({ where: { programId_id: { programId, id: linkId } }, data: less })
  if (couponId) await tx.affiliateCoupon.update({ where: { programId_id: { programId, id: couponId } }, data: less })
}
