import { withSqlTransaction } from '../../database/client/transaction.ts'
import { writeTogether } from '../../database/client/write.ts'
import type { Affiliate, Prisma, Referral } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findByIdOrImportedId } from '../../kernel/lookup.ts'
import { findLinkByToken } from '../affiliates/links/service.ts'
import { namedCustomer, newCustomer } from '../customers/service.ts'
import { insertedEvents } from '../events/record.ts'
import { type ConversionState, recordLeadInput, recordVisitInput } from './input.ts'
import { readLeadFacts } from './lead-facts.ts'
import { rewardOfLead } from './lead-reward.ts'
import { lockInOrder } from './lock.ts'
import { conversionState, eventsOfProgress, insertsOf, newReferral, progressed, updatesOf } from './progress.ts'

/**
 * Records a visit through an affiliate's link, and creates its referral.
 * @throws NOT_FOUND if no link has the token; REFUSED if the affiliate is not active, or the link or the campaign is
 *   archived
 */
export async function recordVisit(ctx: ProgramCtx, raw: unknown): Promise<Referral> {
  const { token, sub } = await parseInput(recordVisitInput, raw)
  const link = await findLinkByToken(ctx, token)
  if (!link) throw notFound('Affiliate link', token)
  refuseInactive(link.affiliate)
  if (link.archivedAt) throw refused('The link is archived.')
  if (link.affiliate.campaign.archivedAt) throw refused("The affiliate's campaign is archived.")
  const now = ctx.now()
  const referral = newReferral(link.affiliate, link.affiliate.campaign, { linkId: link.id, sub }, now)
  const events = insertedEvents(ctx, eventsOfProgress(referral, 'visitor', true), now)
  await withSqlTransaction(ctx.db, (tx) => writeTogether(tx, [...insertsOf(referral), events]))
  return referral
}

/**
 * Records a visitor's e-mail: the referral becomes a lead. For a lead or conversion, only a missing customer or billing
 * customer id is added. If a rule of the campaign rewards leads, the affiliate earns a commission, once per customer.
 * @throws NOT_FOUND; REFUSED if the affiliate is not active or the referral has expired
 */
export async function recordLead(ctx: ProgramCtx, raw: unknown): Promise<{ id: string; state: ConversionState }> {
  const input = await parseInput(recordLeadInput, raw)
  const programId = ctx.program.id
  const known = await readLeadFacts(ctx.db.sql, programId, input)
  if (!known) throw notFound('Referral', input.referralId)
  refuseInactive({ state: known.affiliateState })
  const { id } = known
  return withSqlTransaction(ctx.db, async (tx) => {
    const now = ctx.now()
    const customer = known.knownCustomerId ?? newCustomer(programId, input, now)
    await lockInOrder(tx, { programId, customer, referralId: id })
    const facts = (await readLeadFacts(tx, programId, input)) ?? known
    if (conversionState(facts) === 'visitor' && facts.expiresAt <= now) throw refused('The referral has expired.')
    const { knownCustomerId: customerId, knownCustomerName } = facts
    const lead = progressed(facts, 'lead', { at: now, customerId, billingCustomerId: input.billingCustomerId })
    const writes = updatesOf(facts, lead, now)
    if (customerId) writes.push(namedCustomer({ programId, id: customerId, name: knownCustomerName }, input.name, now))
    const reward = await rewardOfLead(ctx, tx, { facts, customerId: lead.customerId, email: input.email, now })
    writes.push(...reward.writes)
    writes.push(insertedEvents(ctx, [...eventsOfProgress(facts, 'lead'), ...reward.events], now))
    await writeTogether(tx, writes)
    return { id, state: conversionState(lead) }
  })
}

function refuseInactive(affiliate: Pick<Affiliate, 'state'>): void {
  if (affiliate.state !== 'active') throw refused('The affiliate is not active.')
}

/** @throws NOT_FOUND */
export async function findReferral(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.ReferralDefaultArgs = {},
): Promise<Referral> {
  return findByIdOrImportedId(ctx, 'referral', id, (where) => ctx.db.referral.findUnique({ where, ...query }))
}
