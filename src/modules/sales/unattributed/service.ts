import type { Affiliate, Campaign, Prisma, Referral, UnattributedSale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, notFound, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { findById } from '../../../kernel/lookup.ts'
import { type LockedCustomer, lockCustomer } from '../../customers/service.ts'
import { affiliateCampaignIdAsOf, campaignAsOf } from '../../history/point-in-time.ts'
import { lockReferral } from '../../referrals/progress.ts'
import { insertReferral } from '../../referrals/service.ts'
import { referralOfCustomer } from '../report/attribute.ts'
import type { Decision, TriedSignal } from '../report/decision.ts'
import { recordSale } from '../report/record.ts'
import { withSaleTransaction } from '../report/sale-transaction.ts'
import { keptSince } from './keep.ts'

/** The condition for unattributed sales that have not expired. */
export const stillKept = (ctx: ProgramCtx) => ({ programId: ctx.program.id, createdAt: { gte: keptSince(ctx.now()) } })

/**
 * Attributes an unattributed sale to an affiliate by hand, with the campaign's rules at the time of the sale. Later sales
 * of the customer belong to the same affiliate. The expiry of the referral is ignored, because a person decided.
 *
 * @returns the id of the sale
 * @throws NOT_FOUND; INVALID_INPUT for an unknown affiliate; REFUSED if the affiliate is not active, or the sale has been
 *   recorded since
 */
export async function attributeSale(ctx: ProgramCtx, id: string, affiliateId: string): Promise<string> {
  const where = { ...stillKept(ctx), id }
  const { externalId } = await findById('Unattributed sale', id, () => ctx.db.unattributedSale.findFirst({ where }))
  return withSaleTransaction(ctx, externalId, async (tx, recordedId) => {
    if (recordedId !== null) throw refused('This sale was recorded in the meantime.')
    // The row is deleted first, so that of two parallel requests for the same sale the second fails.
    const kept = await tx.unattributedSale.findFirst({ where })
    const { count: deleted } = await tx.unattributedSale.deleteMany({ where })
    if (!kept || deleted === 0) throw notFound('Unattributed sale', id)
    const affiliate = await findActive(tx, ctx, affiliateId)
    const now = ctx.now()
    const { email, customerName: name } = kept
    const customer = email === null ? null : await lockCustomer(tx, kept.programId, { email, name }, now)
    const { campaign, ...chosen } = await referralFor(tx, affiliate, customer, kept, now)
    const signals: TriedSignal[] = [
      ...(kept.decision as Pick<Decision, 'signals'>).signals,
      { signal: 'manual', outcome: 'matched' },
    ]
    const { customerName, billingCustomerId, amountCents, currency, occurredAt } = kept
    const sale = { externalId, customer, customerName, billingCustomerId, amountCents, currency, occurredAt }
    return recordSale(ctx, tx, sale, { ...chosen, signal: 'manual', signals, affiliate }, campaign, now)
  })
}

/** @throws INVALID_INPUT if the affiliate is unknown; REFUSED if it is not active */
async function findActive(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  id: string,
): Promise<Affiliate & { campaign: Campaign }> {
  const affiliate = isId(id)
    ? await tx.affiliate.findUnique({
        where: { programId_id: { programId: program.id, id } },
        include: { campaign: true },
      })
    : null
  if (!affiliate) throw invalid([{ field: 'affiliateId', message: 'Affiliate not found.' }])
  if (affiliate.state !== 'active') throw refused('The affiliate is not active.', ['affiliate_not_active'])
  return affiliate
}

/** The customer's referral of this affiliate, locked, or a new one; and its campaign as of the time of the sale. */
async function referralFor(
  tx: Prisma.TransactionClient,
  affiliate: Affiliate & { campaign: Campaign },
  customer: LockedCustomer | null,
  { programId, occurredAt }: UnattributedSale,
  now: Date,
): Promise<{ referral: Referral; isNew: boolean; campaign: Campaign }> {
  const found = await referralOfCustomer(tx, { programId, customer, occurredAt }, { affiliateId: affiliate.id })
  if (found) {
    const referral = await lockReferral(tx, found)
    return { referral, isNew: false, campaign: await campaignAsOf(tx, found.campaign, occurredAt) }
  }
  const id = await affiliateCampaignIdAsOf(tx, affiliate, occurredAt)
  const campaign = await tx.campaign.findUniqueOrThrow({ where: { programId_id: { programId, id } } })
  const referral = await insertReferral(
    tx,
    { ...affiliate, campaignId: id, campaign },
    { customerId: customer?.id ?? null, soldAt: occurredAt },
    now,
  )
  return { referral, isNew: true, campaign: await campaignAsOf(tx, campaign, occurredAt) }
}
