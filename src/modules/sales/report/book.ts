import type { Campaign, Customer, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { mintId } from '../../../kernel/ids.ts'
import { calculateCommission, type Earned } from '../../commissions/calculate.ts'
import { findSelfReferral } from '../../commissions/self-referral.ts'
import { insertCommission, noHistory, readHistory } from '../../commissions/service.ts'
import { progressReferral } from '../../referrals/progress.ts'
import type { Attribution } from './attribute.ts'
import { decisionOf } from './decision.ts'

export type SaleToBook = {
  externalId: string | null
  customer: Customer | null
  customerName: string | null
  amountCents: bigint
  currency: string
  occurredAt: Date
}

/**
 * Whoever is about to record a sale with an external id holds this lock until the transaction ends, so that of many at
 * once one records it and the others find it.
 */
export async function lockExternalId(
  tx: Prisma.TransactionClient,
  programId: string,
  externalId: string,
): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`${programId} ${externalId}`}, 0))`
}

/**
 * Writes down a sale that has its referral, what was decided about it, and the commission it earns; the referral becomes
 * a conversion, if it is none. The caller holds the locks of the customer and the referral.
 *
 * @param rule the campaign as it counts for this sale
 * @returns the sale's id
 */
export async function bookSale(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  { customer, ...facts }: SaleToBook,
  { referral, isNew, affiliate, signal, signals }: Omit<Attribution, 'campaign'>,
  rule: Campaign,
  now: Date,
): Promise<string> {
  const sale = {
    ...facts,
    programId: ctx.program.id,
    id: mintId(now),
    referralId: referral.id,
    affiliateId: referral.affiliateId,
    campaignId: referral.campaignId,
    customerId: customer?.id ?? referral.customerId,
    attributedBy: signal,
    createdAt: now,
    updatedAt: now,
  }
  const history = isNew ? noHistory : await readHistory(tx, referral)
  const buyer = customer ?? (await customerOf(tx, referral))
  const selfReferral = buyer && findSelfReferral(affiliate.email, buyer.email)
  const earned: Earned =
    selfReferral && rule.selfReferrals === 'reject'
      ? { reason: 'self_referral' }
      : calculateCommission(rule, sale, history)
  const decision = decisionOf(signals, rule, history, selfReferral)
  await tx.sale.create({ data: { ...sale, decision, noCommissionReason: 'reason' in earned ? earned.reason : null } })
  await progressReferral(tx, referral, 'conversion', { at: sale.occurredAt, customerId: customer?.id, now })
  if ('amountCents' in earned) {
    const heldReason = rule.selfReferrals === 'hold' ? selfReferral : null
    await insertCommission(ctx, tx, sale, rule, { ...earned, heldReason }, now)
  }
  return sale.id
}

/** The customer that was read with the referral, unless it became another's before the lock was there. */
async function customerOf(
  tx: Prisma.TransactionClient,
  { programId, customerId, customer }: Attribution['referral'],
): Promise<Customer | null> {
  if (!customerId) return null
  if (customer?.id === customerId) return customer
  return tx.customer.findUnique({ where: { programId_id: { programId, id: customerId } } })
}
