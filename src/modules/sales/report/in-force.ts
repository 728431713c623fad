import type { Sql } from '../../../kernel/db.ts'
import { affiliateCampaignIdAsOf, campaignAsOf } from '../../history/point-in-time.ts'
import type { Attribution } from './attribute.ts'
import { readSaleCampaign, type SaleCampaign } from './facts.ts'

/**
 * The attribution with the rules of when the sale occurred: those of its referral's campaign, or of the affiliate's
 * campaign at the time. A new referral expires by the present rule.
 */
export async function inForce(sql: Sql, attribution: Attribution, occurredAt: Date): Promise<Attribution> {
  const { referral, affiliate, campaign: present } = attribution
  const { programId } = present
  const campaignId = referral ? present.id : await affiliateCampaignIdAsOf(sql, { ...affiliate, programId }, occurredAt)
  const current = campaignId === present.id ? present : await readSaleCampaign(sql, programId, campaignId)
  const { daysBeforeReferralsExpire } = current
  const campaign: SaleCampaign = { ...(await campaignAsOf(sql, current, occurredAt)), daysBeforeReferralsExpire }
  return { ...attribution, campaign }
}
