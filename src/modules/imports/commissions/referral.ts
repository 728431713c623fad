import type { Campaign, Referral } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/dates.ts'
import { mintId } from '../../../kernel/ids.ts'
import { addNote, type BatchPlan } from '../plan.ts'
import { type CommissionRecord, type Existing, placeholderKey } from './existing.ts'
import type { CommissionWrites } from './plan.ts'

/** The referral of a new commission, a conversion; or the placeholder referral of its affiliate and campaign. */
export function referralFor(
  plan: BatchPlan,
  existing: Existing,
  writes: CommissionWrites,
  record: CommissionRecord,
  affiliateId: string,
  campaign: Campaign,
  soldAt: Date,
): Referral {
  const referral = existing.referrals.get(record.referralId ?? '')
  if (referral?.affiliateId === affiliateId) return convert(plan, writes, referral, soldAt)
  const sentence = 'The referral was not imported or belongs to another affiliate. A placeholder referral is used.'
  addNote(plan, 'commission', record.externalId, sentence)
  const key = placeholderKey(affiliateId, campaign.id)
  const placeholder = existing.referrals.get(key)
  if (placeholder) return placeholder
  const created = newPlaceholder(plan, affiliateId, campaign, soldAt)
  writes.referrals.set(created.id, { before: null, after: created })
  existing.referrals.set(key, created)
  // The report leaves out records with `standIn`, as the source has no such referral.
  const snapshot = { standIn: true }
  plan.records.set(`referral ${key}`, { kind: 'referral', externalId: key, id: created.id, snapshot })
  return created
}

function convert({ now }: BatchPlan, writes: CommissionWrites, referral: Referral, soldAt: Date): Referral {
  const current = writes.referrals.get(referral.id)?.after ?? referral
  if (current.becameConversionAt) return current
  const becameLeadAt = current.becameLeadAt ?? soldAt
  const after = { ...current, becameLeadAt, becameConversionAt: soldAt, updatedAt: now }
  writes.referrals.set(referral.id, { before: referral, after })
  return after
}

const newPlaceholder = ({ ctx }: BatchPlan, affiliateId: string, campaign: Campaign, at: Date): Referral => ({
  programId: ctx.program.id,
  id: mintId(at),
  affiliateId,
  campaignId: campaign.id,
  linkId: null,
  couponId: null,
  customerId: null,
  billingCustomerId: null,
  becameLeadAt: at,
  becameConversionAt: at,
  expiresAt: addDays(at, campaign.daysBeforeReferralsExpire),
  sub: null,
  agentProvider: null,
  endedAt: null,
  isCounted: true,
  createdAt: at,
  updatedAt: at,
})
