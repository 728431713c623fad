import { sqlWithin } from '../../../database/client/sql.ts'
import { writeTogether } from '../../../database/client/write.ts'
import type { Prisma, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, refused, unavailable } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { recordEvents } from '../../events/record.ts'
import { sentOf } from '../../payouts/sent-payouts.ts'
import { eventsOfProgress, insertsOf, newReferral, progressed, updatesOf } from '../../referrals/progress.ts'
import type { Decision } from '../decision.ts'
import { type Attribution, attribute } from '../report/attribute.ts'
import { readSaleFacts } from '../report/facts.ts'
import { providerOf, selfReferralOf } from '../report/record.ts'
import type { SaleReferral, Signals } from '../signals/sale-facts.ts'

/**
 * Gives a sale to another affiliate: to the customer's referral of that affiliate, or a new one. Both affiliates are
 * locked. What the sale earns then is calculated by the caller.
 * @param by set if a feed says it: then the sale goes to the referral where its signals lead
 * @throws INVALID_INPUT for an unknown affiliate; REFUSED if it is not active, or something is paid or refunded
 */
export async function moveSale(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  sale: Sale,
  affiliateId: string,
  by: MovedBy | null,
  now: Date,
): Promise<void> {
  const programId = ctx.program.id
  await rejectFixed(tx, sale)
  const { customerId, occurredAt } = sale
  const to = by ? await placeBySignals(tx, sale, affiliateId, by) : await placeByHand(tx, sale, affiliateId)
  const { affiliate, campaign, known, couponId = null } = to
  const billingCustomerId = by?.billingCustomerId ?? null
  const buyer = { customerId, billingCustomerId }
  const created = newReferral(
    { programId, id: affiliate.id },
    campaign,
    { ...buyer, couponId, agentProvider: providerOf(ctx, to.signal), soldAt: occurredAt },
    now,
  )
  const referral = known ?? created
  const place = { referralId: referral.id, affiliateId: affiliate.id, campaignId: referral.campaignId }
  const became = known && progressed(known, 'conversion', { ...buyer, at: occurredAt })
  await writeTogether(sqlWithin(tx), known && became ? updatesOf(known, became, now) : insertsOf(created))
  await recordEvents(tx, ctx, eventsOfProgress(referral, 'conversion', known === null), now)
  const stored = { ...place, attributedBy: to.signal, ...to.decided, updatedAt: now }
  await tx.sale.update({ where: { programId_id: { programId, id: sale.id } }, data: stored })
  await tx.commission.updateMany({
    where: { programId, saleId: sale.id },
    data: { ...place, payoutId: null, updatedAt: now },
  })
  await leave(tx, sale, billingCustomerId, now)
}

/** What a feed says of a sale, and the customer at the billing system. */
export type MovedBy = {
  signals: { referralId?: string | undefined; coupon?: readonly string[] | undefined }
  billingCustomerId: string | null
}

/** Where a sale goes, and how that was decided. */
type Place = Pick<Attribution, 'affiliate' | 'campaign' | 'signal'> & {
  known: SaleReferral | null
  couponId?: string | null
  decided: Pick<Prisma.SaleUncheckedUpdateInput, 'decision' | 'noCommissionReason'>
}

async function readFacts(tx: Prisma.TransactionClient, sale: Sale, signals: Signals & { affiliateId?: string | null }) {
  const { programId, customerId, occurredAt } = sale
  const customer =
    customerId && (await tx.customer.findUnique({ where: { programId_id: { programId, id: customerId } } }))
  const given = { email: customer ? customer.email : null, ...signals }
  return {
    email: given.email,
    ...(await readSaleFacts(sqlWithin(tx), { programId, externalId: null, occurredAt, ...given })),
  }
}

async function placeByHand(tx: Prisma.TransactionClient, sale: Sale, affiliateId: string): Promise<Place> {
  const facts = await readFacts(tx, sale, { affiliateId: isId(affiliateId) ? affiliateId : null })
  const { affiliate, campaign, ofAffiliate: known } = facts
  if (!affiliate || !campaign) throw invalid([{ field: 'affiliateId', message: 'Affiliate not found.' }])
  if (affiliate.state !== 'active') throw refused('The affiliate is not active.', ['affiliate_not_active'])
  const manual = { signal: 'manual', outcome: 'matched' } as const
  const decision = sale.decision as Decision
  const tried = decision.signals.filter(({ signal }) => signal !== 'manual')
  const isUndone = sale.noCommissionReason === 'attribution_undone'
  if (isUndone) await tx.unattributedSale.deleteMany({ where: { programId: sale.programId, saleId: sale.id } })
  const signals = [...tried, manual]
  const decided = { decision: { ...decision, signals }, ...(isUndone && { noCommissionReason: null }) }
  return { affiliate, campaign, known, signal: 'manual', decided }
}

/** A person decides what would be held. */
async function placeBySignals(
  tx: Prisma.TransactionClient,
  sale: Sale,
  affiliateId: string,
  { signals: given }: MovedBy,
): Promise<Place> {
  const facts = await readFacts(tx, sale, given)
  const { email } = facts
  const attribution = attribute({ ...given, email, occurredAt: sale.occurredAt, dropped: [] }, facts)
  const { affiliate, campaign, signal, signals, referral: known, couponId, heldReason } = attribution
  if (affiliate.id !== affiliateId) throw unavailable()
  if (heldReason) throw refused("The referral is later than the sale, so the affiliate isn't changed.")
  if (selfReferralOf(facts, attribution) !== null)
    throw refused("The customer may be the affiliate, so the affiliate isn't changed.")
  const decision = { ...(sale.decision as Decision), signals, selfReferral: null }
  const isRejected = sale.noCommissionReason === 'self_referral'
  return {
    affiliate,
    campaign,
    known,
    couponId,
    signal,
    decided: { decision, ...(isRejected && { noCommissionReason: null }) },
  }
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
async function leave(
  tx: Prisma.TransactionClient,
  { programId, referralId: id }: Sale,
  billingCustomerId: string | null,
  now: Date,
): Promise<void> {
  const isImported = await tx.importedRecord.count({ where: { programId, kind: 'referral', id } })
  if (isImported > 0 || (await tx.sale.count({ where: { programId, referralId: id } })) > 0) return
  const data = { becameConversionAt: null, ...(billingCustomerId && { billingCustomerId: null }), updatedAt: now }
  const { affiliateId, linkId, couponId } = await tx.referral.update({
    where: { programId_id: { programId, id } },
    data,
  })
  const less = { conversions: { decrement: 1 } }
  await tx.affiliate.update({ where: { programId_id: { programId, id: affiliateId } }, data: less })
  if (linkId) await tx.affiliateLink.update({ where: { programId_id: { programId, id: linkId } }, data: less })
  if (couponId) await tx.affiliateCoupon.update({ where: { programId_id: { programId, id: couponId } }, data: less })
}
