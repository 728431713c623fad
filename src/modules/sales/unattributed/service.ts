import { withTransaction } from '../../../database/transaction.ts'
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
import { bookSale, lockExternalId } from '../report/book.ts'
import type { Decision, TriedSignal } from '../report/decision.ts'
import { keptSince } from './keep.ts'

/** Those that a person can still attribute. */
export const stillKept = (ctx: ProgramCtx) => ({ programId: ctx.program.id, createdAt: { gte: keptSince(ctx.now()) } })

/**
 * Books a sale that had matched nobody for an affiliate whom a person chose, with the rule that was in force when it
 * occurred. The customer is the affiliate's from then on. The referral's window is not looked at: a person decided.
 *
 * @returns the sale's id
 * @throws NOT_FOUND; INVALID_INPUT for an unknown affiliate; REFUSED where the affiliate is not active
 */
export async function attributeSale(ctx: ProgramCtx, id: string, affiliateId: string): Promise<string> {
  const where = { ...stillKept(ctx), id }
  const seen = await findById('Unattributed sale', id, () => ctx.db.unattributedSale.findFirst({ where }))
  const run = async (tx: Prisma.TransactionClient) => {
    await refuseRecorded(tx, seen)
    // Taken away before anything else: of two who attribute the same sale, the second finds nothing.
    const kept = await tx.unattributedSale.findFirst({ where })
    const { count: taken } = await tx.unattributedSale.deleteMany({ where })
    if (!kept || taken === 0) throw notFound('Unattributed sale', id)
    const affiliate = await findActive(tx, ctx, affiliateId)
    const now = ctx.now()
    const { email, customerName: name } = kept
    const customer = email === null ? null : await lockCustomer(tx, kept.programId, { email, name }, now)
    const { campaign, ...chosen } = await referralFor(tx, affiliate, customer, kept, now)
    const signals: TriedSignal[] = [
      ...(kept.decision as Pick<Decision, 'signals'>).signals,
      { signal: 'manual', outcome: 'matched' },
    ]
    const { externalId, customerName, amountCents, currency, occurredAt } = kept
    const sale = { externalId, customer, customerName, amountCents, currency, occurredAt }
    return bookSale(ctx, tx, sale, { ...chosen, signal: 'manual', signals, affiliate }, campaign, now)
  }
  return withTransaction(ctx.db, run)
}

/** A report of the sale that came after it was kept may have found its affiliate. */
async function refuseRecorded(
  tx: Prisma.TransactionClient,
  { programId, externalId }: UnattributedSale,
): Promise<void> {
  if (externalId === null) return
  await lockExternalId(tx, programId, externalId)
  const where = { programId_externalId: { programId, externalId } }
  if (await tx.sale.findUnique({ where, select: { id: true } }))
    throw refused('This sale was recorded in the meantime.')
}

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

/** The customer's referral of this affiliate, locked, made where there is none; and its campaign as it was for the sale. */
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
