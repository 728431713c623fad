import { z } from 'zod'
import { described, optional, reference } from '../../../kernel/input/fields.ts'
import { updateCampaignInput } from '../../campaigns/input.ts'

/** The rules of a campaign that can be simulated. As in an update, null removes a limit. */
export const campaignRulesInput = updateCampaignInput.pick({
  rewardType: true,
  commissionPercent: true,
  commissionAmountCents: true,
  commissionCurrency: true,
  maxCommissions: true,
  maxCommissionPeriodInMonths: true,
  daysBeforeReferralsExpire: true,
})

export type CampaignRules = z.output<typeof campaignRulesInput>

export const simulationInput = z.object({
  campaignId: optional(described(reference(), 'Only sales of this campaign. Default: the sales of all campaigns.')),
})
