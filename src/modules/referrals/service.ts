import type { z } from 'zod'
import { withTransaction } from '../../database/transaction.ts'
import type { Affiliate, Campaign, Prisma, Referral } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/calendar.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findByIdOrImportedId } from '../../kernel/lookup.ts'
import { carries, type Page, readRows, updatedBetween } from '../../kernel/pagination/page.ts'
import { findLinkByToken } from '../affiliates/links/service.ts'
import { lockCustomer } from '../customers/service.ts'
import { listReferralsInput, recordLeadInput, recordVisitInput } from './input.ts'
import { conversionState, count, inConversionState, lockReferral, progressReferral } from './progress.ts'

/**
 * Records a visit through an affiliate's link, and creates its referral.
 *
 * @throws NOT_FOUND if no link has the token; REFUSED if the affiliate is not active, or the link or the campaign is archived
 */
export async function recordVisit(ctx: ProgramCtx, raw: unknown): Promise<Referral> {
  const { token } = await parseInput(recordVisitInput, raw)
  const link = await findLinkByToken(ctx, token)
  if (!link) throw notFound('Affiliate link', token)
  refuseInactive(link.affiliate)
  if (link.archivedAt) throw refused('The link is archived.')
  if (link.affiliate.campaign.archivedAt) throw refused("The affiliate's campaign is archived.")
  const now = ctx.now()
  return withTransaction(ctx.db, (tx) => insertReferral(tx, link.affiliate, { linkId: link.id }, now))
}

/**
 * Inserts a referral of the affiliate's current campaign, and updates the counters. With `soldAt`, the referral starts as
 * a conversion (and a lead), and the caller records the sale.
 */
export async function insertReferral(
  tx: Prisma.TransactionClient,
  affiliate: Affiliate & { campaign: Campaign },
  { soldAt, ...origin }: { linkId?: string; couponId?: string; customerId?: string | null; soldAt?: Date },
  now: Date,
): Promise<Referral> {
  const referral = await tx.referral.create({
    data: {
      programId: affiliate.programId,
      id: mintId(now),
      affiliateId: affiliate.id,
      campaignId: affiliate.campaignId,
      ...origin,
      becameLeadAt: soldAt,
      becameConversionAt: soldAt,
      expiresAt: addDays(now, affiliate.campaign.daysBeforeReferralsExpire),
      createdAt: now,
      updatedAt: now,
    },
  })
  await count(tx, referral, { visitors: 1, ...(soldAt && { leads: 1, conversions: 1 }) })
  return referral
}

/**
 * Records that a referral's visitor gave their e-mail, and turns the referral into a lead. If it is a lead or conversion
 * already, only a missing customer or billing customer id is added.
 *
 * @throws NOT_FOUND; REFUSED if the affiliate is not active or the referral has expired
 */
export async function recordLead(ctx: ProgramCtx, raw: unknown): Promise<Referral> {
  const input = await parseInput(recordLeadInput, raw)
  const found = await findReferral(ctx, input.referralId, { include: { affiliate: true } })
  refuseInactive((found as Referral & { affiliate: Affiliate }).affiliate)
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const customer = await lockCustomer(tx, ctx.program.id, input, now)
    const referral = await lockReferral(tx, found)
    if (conversionState(referral) === 'visitor' && referral.expiresAt <= now) throw refused('The referral has expired.')
    await progressReferral(tx, referral, 'lead', {
      at: now,
      customerId: customer.id,
      billingCustomerId: input.billingCustomerId,
      now,
    })
    return referral
  })
}

function refuseInactive(affiliate: Affiliate): void {
  if (affiliate.state !== 'active') throw refused('The affiliate is not active.')
}

/** @throws NOT_FOUND */
export async function findReferral(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.ReferralDefaultArgs = {},
): Promise<Referral> {
  return findByIdOrImportedId(ctx, 'referral', id, (where) => ctx.db.referral.findUnique({ ...query, where }))
}

export async function listReferrals(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.ReferralDefaultArgs = {},
): Promise<Page<Referral>> {
  const input = await parseInput(listReferralsInput, raw)
  const where = referralsWhere(ctx, input)
  return readRows(input, ctx.db.referral, where, query)
}

/** The Prisma condition for the filters of the list. */
export const referralsWhere = (
  ctx: ProgramCtx,
  input: z.output<typeof listReferralsInput>,
): Prisma.ReferralWhereInput => ({
  programId: ctx.program.id,
  ...updatedBetween(input),
  affiliateId: carries(input.affiliateId),
  campaignId: carries(input.campaignId),
  billingCustomerId: input.billingCustomerId,
  ...(input.email && { customer: { emailKey: emailKey(input.email) } }),
  ...(input.conversionState && { OR: input.conversionState.map((state) => inConversionState[state]) }),
})
