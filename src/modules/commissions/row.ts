import type { Campaign, Commission, Sale } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/calendar.ts'

/** When a commission is due by its own copy of the rule; somebody may have moved that since. */
export const dueByRule = ({ occurredAt, ruleDaysBeforeDue }: Pick<Commission, 'occurredAt' | 'ruleDaysBeforeDue'>) =>
  addDays(occurredAt, ruleDaysBeforeDue)

/** The commission a sale earned, with its own copy of the rule: a later change of the campaign does not reach it. */
export function newCommission(
  id: string,
  sale: Pick<Sale, 'programId' | 'id' | 'referralId' | 'affiliateId' | 'campaignId' | 'occurredAt'>,
  campaign: Campaign,
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
    createdAt: now,
    updatedAt: now,
  }
}
