import { z } from 'zod'
import { described, optional, reference } from '../../kernel/input/fields.ts'
import { updateCampaignInput } from '../campaigns/input.ts'

/** What of a campaign can be asked to have been otherwise; as with an update, null clears a limit. */
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
  campaignId: optional(described(reference(), 'Only sales of this campaign; of all campaigns, unless given.')),
})
