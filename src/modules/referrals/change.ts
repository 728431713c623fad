import { sqlWithin } from '../../database/client/sql.ts'
import { withTransaction } from '../../database/client/transaction.ts'
import { writeTogether } from '../../database/client/write.ts'
import type { Prisma, Referral } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordEvents } from '../events/record.ts'
import { recordAction } from '../history/record.ts'
import { endReferralInput, moveReferralInput } from './input.ts'
import { lockInOrder } from './lock.ts'
import { eventsOfProgress, insertsOf, newReferral } from './progress.ts'
import { findReferral } from './service.ts'

/** How long the lead of a customer who has bought already stays open after a move. They may buy once a year. */
const movedBuyerDays = 3650

/**
 * Ends a referral: sales from now on are not attributed to it. What was attributed stays. Idempotent.
 * @returns the id of the referral @throws NOT_FOUND
 */
export async function endReferral(ctx: ProgramCtx, referralId: string, raw: unknown): Promise<string> {
  const { reason } = await parseInput(endReferralInput, raw)
  const { id } = await findReferral(ctx, referralId)
  await withTransaction(ctx.db, async (tx) => {
    const referral = await lockReferral(ctx, tx, id)
    if (!referral.endedAt) await end(ctx, tx, referral, reason ?? null)
  })
  return id
}

/**
 * Gives the customer of a referral to another affiliate. The customer's other referrals end. Sales from now on belong
 * to a referral of the new affiliate: an earlier one is opened again, else one is made. Earlier sales stay.
 * @returns the id of the affiliate's referral
 * @throws NOT_FOUND; INVALID_INPUT for an unknown affiliate; REFUSED without a customer, or if the affiliate is not
 * active
 */
export async function moveReferral(ctx: ProgramCtx, referralId: string, raw: unknown): Promise<string> {
  const { affiliateId, reason } = await parseInput(moveReferralInput, raw)
  const { id, customerId } = await findReferral(ctx, referralId)
  if (!customerId) throw refused('The referral has no customer yet, so it cannot be moved. End it instead.')
  const programId = ctx.program.id
  return withTransaction(ctx.db, async (tx) => {
    const from = await lockReferral(ctx, tx, id)
    const affiliate = isId(affiliateId)
      ? await tx.affiliate.findFirst({ where: { programId, id: affiliateId }, include: { campaign: true } })
      : null
    if (!affiliate) throw invalid([problem('affiliateId', 'is not the id of an affiliate')])
    if (affiliate.state !== 'active') throw refused('The affiliate is not active.', ['affiliate_not_active'])
    const theirs = await tx.referral.findMany({
      where: { programId, OR: [{ customerId }, { id }, { sales: { some: { customerId } } }] },
      orderBy: [{ becameConversionAt: { sort: 'asc', nulls: 'last' } }, { id: 'desc' }],
    })
    for (const one of theirs)
      if (one.affiliateId !== affiliate.id && !one.endedAt) await end(ctx, tx, one, reason ?? null, affiliate.id)
    const now = ctx.now()
    const hasBought = (await tx.sale.count({ where: { programId, customerId } })) > 0
    const expiresAt = addDays(now, hasBought ? movedBuyerDays : affiliate.campaign.daysBeforeReferralsExpire)
    const formerReferral = theirs.find((one) => one.affiliateId === affiliate.id && one.becameLeadAt)
    if (formerReferral) {
      await reopen(ctx, tx, formerReferral, expiresAt, reason ?? null)
      return formerReferral.id
    }
    const origin = { customerId, billingCustomerId: from.billingCustomerId }
    const created = { ...newReferral(affiliate, affiliate.campaign, origin, now), becameLeadAt: now, expiresAt }
    await writeTogether(sqlWithin(tx), insertsOf(created))
    await recordEvents(tx, ctx, eventsOfProgress(created, 'lead', true), now)
    await record(ctx, tx, 'moved', created.id, null, { affiliateId: affiliate.id, reason: reason ?? null })
    return created.id
  })
}

async function lockReferral(ctx: ProgramCtx, tx: Prisma.TransactionClient, id: string): Promise<Referral> {
  const programId = ctx.program.id
  await lockInOrder(sqlWithin(tx), { programId, referralId: id })
  return tx.referral.findUniqueOrThrow({ where: { programId_id: { programId, id } } })
}

/** @param to the affiliate who gets the customer */
async function end(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  { programId, id, affiliateId }: Referral,
  reason: string | null,
  to?: string,
): Promise<void> {
  const now = ctx.now()
  const data = { endedAt: now, updatedAt: now }
  await tx.referral.update({ where: { programId_id: { programId, id } }, data })
  const before = to === undefined ? {} : { affiliateId }
  const after = { endedAt: now, reason, ...(to !== undefined && { affiliateId: to }) }
  await record(ctx, tx, to === undefined ? 'ended' : 'moved', id, before, after)
}

/** A referral of the customer that counts again, and for long enough. */
async function reopen(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  { programId, id, endedAt, expiresAt }: Referral,
  until: Date,
  reason: string | null,
): Promise<void> {
  const now = ctx.now()
  const data = { endedAt: null, expiresAt: expiresAt > until ? expiresAt : until, updatedAt: now }
  await tx.referral.update({ where: { programId_id: { programId, id } }, data })
  if (endedAt) await record(ctx, tx, 'restored', id, { endedAt }, { endedAt: null, reason })
}

const record = (
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  action: 'ended' | 'moved' | 'restored',
  subjectId: string,
  before: object | null,
  after: object,
) => recordAction(tx, ctx, { subject: 'referral', subjectId, action }, before, after, ctx.now())
