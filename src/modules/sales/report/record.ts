import type { Campaign, Customer, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { mintId } from '../../../kernel/ids.ts'
import { calculateCommission, type Earned } from '../../commissions/calculate.ts'
import { findSelfReferral } from '../../commissions/self-referral.ts'
import { insertCommission, noHistory, readHistory } from '../../commissions/service.ts'
import { progressReferral } from '../../referrals/progress.ts'
import type { Attribution } from './attribute.ts'
import { decisionOf } from './decision.ts'

export type NewSale = {
  externalId: string | null
  customer: Customer | null
  customerName: string | null
  /** Stored on the referral, unless it already has one. */
  billingCustomerId: string | null
  amountCents: bigint
  currency: string
  occurredAt: Date
}

/**
 * Records a sale of a known referral, the decision about it, and the commission it earns. The referral becomes a conversion
 * if it is not one yet. The caller holds the locks of the customer and the referral.
 *
 * @param rule the campaign with the rules that apply to this sale
 * @returns the id of the sale
 */
export async function recordSale(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  { customer, billingCustomerId, ...facts }: NewSale,
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
  await progressReferral(tx, referral, 'conversion', {
    at: sale.occurredAt,
    customerId: customer?.id,
    billingCustomerId: billingCustomerId ?? undefined,
    now,
  })
  if ('amountCents' in earned) {
    const heldReason = rule.selfReferrals === 'hold' ? selfReferral : null
    await insertCommission(ctx, tx, sale, rule, { ...earned, heldReason }, now)
  }
  return sale.id
}

/** The customer of the referral. It is read again if the referral got another customer before it was locked. */
async function customerOf(
  tx: Prisma.TransactionClient,
  { programId, customerId, customer }: Attribution['referral'],
): Promise<Customer | null> {
  if (!customerId) return null
  if (customer?.id === customerId) return customer
  return tx.customer.findUnique({ where: { programId_id: { programId, id: customerId } } })
}
