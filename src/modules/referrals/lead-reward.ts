import { statement } from '../../database/client/sql.ts'
import { inserted, type Write } from '../../database/client/write.ts'
import type { Commission } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import type { SqlTransaction } from '../../kernel/db.ts'
import { groupsAt } from '../affiliates/groups/membership.ts'
import { lacksTerms } from '../applications/required-terms.ts'
import { eventsOf, type NewEvent } from '../events/record.ts'
import { moneyEvents } from '../history/money-events.ts'
import { type LeadReward, leadRewardOf } from '../rules/lead.ts'
import { newOfAmount } from '../rules/of-amount.ts'
import { ruleVersionAt } from '../rules/versions.ts'
import { heldFor, heldReasonsOf } from './held-reasons.ts'
import type { LeadFacts } from './lead-facts.ts'
import { findSelfReferral } from './self-referral.ts'

type Lead = { facts: LeadFacts; customerId: string | null; email: string; now: Date }

const nothing = { writes: [] as Write[], events: [] as NewEvent[] }

/**
 * What is written if a rule rewards a visitor who becomes a lead: a commission, once per affiliate and customer. The
 * customer and the referral are locked.
 */
export async function rewardOfLead(
  ctx: ProgramCtx,
  tx: SqlTransaction,
  { facts, customerId, email, now }: Lead,
): Promise<typeof nothing> {
  const { programId, affiliateId, campaignId, rulesVersion, becameLeadAt, becameConversionAt } = facts
  if (rulesVersion === 0 || becameLeadAt !== null || becameConversionAt !== null) return nothing
  const version = await ruleVersionAt(tx, { programId, id: campaignId, rulesVersion }, now)
  const groupIds = groupsAt((facts.memberships ?? []).map(datesOf), now)
  const reward = version && leadRewardOf(facts, version, { affiliateId, groupIds, occurredAt: now })
  if (!reward) return nothing
  const selfReferral = facts.selfReferrals === 'allow' ? null : findSelfReferral(facts.addresses, email)
  if (selfReferral && facts.selfReferrals === 'reject') return nothing
  if (customerId && (await tx.query(rewarded, [programId, affiliateId, customerId])).length > 0) return nothing
  const held = heldFor([
    ...(selfReferral ? [selfReferral] : []),
    ...(lacksTerms(facts, now) ? (['terms_not_accepted'] as const) : []),
  ])
  const commission = { ...leadCommission(facts, reward, now), ...held }
  const earned = { commission, kind: 'earned', deltaCents: reward.amountCents } as const
  const holds = heldReasonsOf(commission).map(
    (reason) => ({ commission, kind: 'held', deltaCents: 0n, reason }) as const,
  )
  return {
    writes: [
      inserted('commissions', [commission]),
      inserted('money_events', moneyEvents(ctx, [earned, ...holds], now)),
    ],
    events: eventsOf(commission.id, ['commission.created']),
  }
}

/** A void commission counts: a lead that was voided is not paid by another visit. */
const rewarded = statement<{ id: string }>(`
  select c.id::text from referrals r
    join commissions c on c.program_id = r.program_id and c.referral_id = r.id and c.kind = 'lead'
  where r.program_id = $1::uuid and r.affiliate_id = $2::uuid and r.customer_id = $3::uuid limit 1`)

const datesOf = ({ groupId, fromAt, untilAt }: NonNullable<LeadFacts['memberships']>[number]) => ({
  groupId,
  fromAt: new Date(fromAt),
  untilAt: untilAt === null ? null : new Date(untilAt),
})

/** A commission that a lead earned, with its own copy of the reward. */
const leadCommission = (
  { programId, id: referralId, affiliateId, campaignId }: LeadFacts,
  { rule, amountCents, currency, daysBeforeDue: ruleDaysBeforeDue }: LeadReward,
  now: Date,
): Commission => {
  const given = { programId, kind: 'lead', reason: null, affiliateId, campaignId, currency, amountCents } as const
  const dueAt = addDays(now, ruleDaysBeforeDue)
  return newOfAmount(given, now, { referralId, ruleId: rule.id, ruleDaysBeforeDue, dueAt })
}
