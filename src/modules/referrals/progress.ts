import type { Prisma, Referral } from '../../generated/prisma/client.ts'
import type { ConversionState } from './input.ts'

/** The state of a referral. It is derived from the timestamps and not stored. */
export function conversionState(referral: Pick<Referral, 'becameLeadAt' | 'becameConversionAt'>): ConversionState {
  if (referral.becameConversionAt) return 'conversion'
  return referral.becameLeadAt ? 'lead' : 'visitor'
}

/** The same rule as a Prisma condition for each state. */
export const inConversionState: Record<ConversionState, Prisma.ReferralWhereInput> = {
  visitor: { becameLeadAt: null, becameConversionAt: null },
  lead: { becameLeadAt: { not: null }, becameConversionAt: null },
  conversion: { becameConversionAt: { not: null } },
}

type MutableField =
  | 'customerId'
  | 'billingCustomerId'
  | 'becameLeadAt'
  | 'becameConversionAt'
  | 'isCounted'
  | 'updatedAt'

/**
 * Locks the referral's row until the transaction ends, and reads its mutable columns again. The affiliate, the campaign
 * and the origin of a referral never change.
 */
export async function lockReferral<Read extends Referral>(tx: Prisma.TransactionClient, referral: Read): Promise<Read> {
  const [current] = await tx.$queryRaw<[Pick<Referral, MutableField>]>`
    select customer_id as "customerId", billing_customer_id as "billingCustomerId", became_lead_at as "becameLeadAt",
      became_conversion_at as "becameConversionAt", is_counted as "isCounted", updated_at as "updatedAt"
    from referrals where program_id = ${referral.programId}::uuid and id = ${referral.id}::uuid for update`
  return { ...referral, ...current }
}

/** Increments the counters of the referral's affiliate, and of its link if it has one. */
export async function count(
  tx: Prisma.TransactionClient,
  referral: Pick<Referral, 'programId' | 'affiliateId' | 'linkId'>,
  counts: { visitors?: number; leads?: number; conversions?: number },
): Promise<void> {
  const { programId, affiliateId, linkId } = referral
  const data = {
    visitors: { increment: counts.visitors ?? 0 },
    leads: { increment: counts.leads ?? 0 },
    conversions: { increment: counts.conversions ?? 0 },
  }
  await tx.affiliate.updateMany({ where: { programId, id: affiliateId }, data })
  if (linkId) await tx.affiliateLink.updateMany({ where: { programId, id: linkId }, data })
}

/**
 * Turns a locked referral into a lead or a conversion. A conversion also becomes a lead, if it was not one. A state
 * that was already reached does not change. The customer and the billing customer id are set only if they were unknown.
 */
export async function progressReferral(
  tx: Prisma.TransactionClient,
  referral: Referral,
  to: 'lead' | 'conversion',
  facts: { at: Date; customerId?: string | undefined; billingCustomerId?: string | undefined; now: Date },
): Promise<void> {
  const state = conversionState(referral)
  const becomesLead = state === 'visitor'
  const becomesConversion = to === 'conversion' && state !== 'conversion'
  const customerId = referral.customerId ?? facts.customerId ?? null
  const billingCustomerId = referral.billingCustomerId ?? facts.billingCustomerId ?? null
  const changes =
    becomesLead ||
    becomesConversion ||
    customerId !== referral.customerId ||
    billingCustomerId !== referral.billingCustomerId
  if (!changes) return
  await tx.referral.update({
    where: { programId_id: { programId: referral.programId, id: referral.id } },
    data: {
      customerId,
      billingCustomerId,
      becameLeadAt: becomesLead ? facts.at : referral.becameLeadAt,
      becameConversionAt: becomesConversion ? facts.at : referral.becameConversionAt,
      updatedAt: facts.now,
    },
  })
  if (becomesLead || becomesConversion) {
    await count(tx, referral, { leads: becomesLead ? 1 : 0, conversions: becomesConversion ? 1 : 0 })
  }
}
