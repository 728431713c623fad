import type { Campaign, Commission, Sale } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'
import type { AppliedRule } from '../rules/apply.ts'
import type { Earned, History } from './calculate.ts'
import type { SaleRule } from './rule.ts'

/** The history of a referral that is created for its first sale. */
export const noHistory: History = { commissions: 0, firstOccurredAt: null }

export type RuleSource = SaleRule &
  Pick<Campaign, 'daysBeforeCommissionsAreDue' | 'selfReferrals'> & {
    /**
     * The rule that applies, or the campaign's own reward, with what came nearest. Absent if the campaign has no rules.
     */
    applied?: AppliedRule
  }

/** The due date that the commission's own copy of the rule gives. The actual due date may have been changed since. */
export const dueByRule = ({ occurredAt, ruleDaysBeforeDue }: Pick<Commission, 'occurredAt' | 'ruleDaysBeforeDue'>) =>
  addDays(occurredAt, ruleDaysBeforeDue)

/** The columns of a commission that only one without a sale needs. */
export const ofSale = { kind: 'sale', reason: null, externalId: null } as const

/** A commission that a sale earned, with its own copy of the campaign's rule. */
export function newCommission(
  id: string,
  sale: Pick<Sale, 'programId' | 'id' | 'referralId' | 'affiliateId' | 'campaignId' | 'occurredAt'>,
  campaign: RuleSource,
  earned: Exclude<Earned, { reason: unknown }>,
  now: Date,
): Commission {
  const daysBeforeDue = earned.daysBeforeDue ?? campaign.daysBeforeCommissionsAreDue
  return {
    programId: sale.programId,
    id,
    saleId: sale.id,
    referralId: sale.referralId,
    affiliateId: sale.affiliateId,
    campaignId: sale.campaignId,
    payoutId: null,
    refundId: null,
    correctsSaleId: null,
    paymentId: null,
    currency: earned.currency,
    amountCents: earned.amountCents,
    heldReason: null,
    furtherHeldReasons: null,
    ruleId: campaign.applied?.id ?? null,
    ruleRewardType: campaign.rewardType,
    ruleBasisPoints: campaign.commissionBasisPoints,
    ruleAmountCents: campaign.commissionAmountCents,
    ruleDaysBeforeDue: daysBeforeDue,
    ruleMaxCommissions: campaign.maxCommissions,
    ruleMaxPeriodInMonths: campaign.maxCommissionPeriodInMonths,
    ruleLines: (earned.lines ?? null) as Commission['ruleLines'],
    occurredAt: sale.occurredAt,
    dueAt: addDays(sale.occurredAt, daysBeforeDue),
    paidAt: null,
    voidedAt: null,
    dueNotedAt: null,
    createdAt: now,
    updatedAt: now,
    ...ofSale,
  }
}
