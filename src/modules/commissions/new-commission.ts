import type { Campaign, Commission, Sale } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/calendar.ts'
import type { History, Rule } from './calculate.ts'

/** The history of a referral that is created for its first sale. */
export const noHistory: History = { commissions: 0, firstOccurredAt: null }

export type RuleSource = Rule & Pick<Campaign, 'daysBeforeCommissionsAreDue' | 'selfReferrals'>

/** The due date that the commission's own copy of the rule gives. The actual due date may have been changed since. */
export const dueByRule = ({ occurredAt, ruleDaysBeforeDue }: Pick<Commission, 'occurredAt' | 'ruleDaysBeforeDue'>) =>
  addDays(occurredAt, ruleDaysBeforeDue)

/** A commission that a sale earned, with its own copy of the rule, so that later changes of the campaign do not affect it. */
export function newCommission(
  id: string,
  sale: Pick<Sale, 'programId' | 'id' | 'referralId' | 'affiliateId' | 'campaignId' | 'occurredAt'>,
  campaign: RuleSource,
  earned: { amountCents: bigint; currency: string },
  now: Date,
): Commission {
  return {
    programId: sale.programId,
    id,
    saleId: sale.id,
    referralId: sale.referralId,
    affiliateId: sale.affiliateId,
    campaignId: sale.campaignId,
    payoutId: null,
    refundId: null,
    currency: earned.currency,
    amountCents: earned.amountCents,
    heldReason: null,
    ruleRewardType: campaign.rewardType,
    ruleBasisPoints: campaign.commissionBasisPoints,
    ruleAmountCents: campaign.commissionAmountCents,
    ruleDaysBeforeDue: campaign.daysBeforeCommissionsAreDue,
    ruleMaxCommissions: campaign.maxCommissions,
    ruleMaxPeriodInMonths: campaign.maxCommissionPeriodInMonths,
    occurredAt: sale.occurredAt,
    dueAt: addDays(sale.occurredAt, campaign.daysBeforeCommissionsAreDue),
    paidAt: null,
    voidedAt: null,
    dueNotedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}
