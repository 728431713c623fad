import type { CampaignRowFragment } from '../../../generated/dashboard/campaigns/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { texts } from '../texts.ts'

const words = texts.campaigns

type Rewarding = Pick<
  CampaignRowFragment,
  | 'rewardType'
  | 'commissionPercent'
  | 'commissionAmountCents'
  | 'commissionCurrency'
  | 'maxCommissions'
  | 'maxCommissionPeriodInMonths'
>

/** What a campaign pays, in a line. */
export function rewardOf(campaign: Rewarding): string {
  const { rewardType, commissionPercent, commissionAmountCents, commissionCurrency } = campaign
  const { maxCommissions, maxCommissionPeriodInMonths } = campaign
  const reward =
    rewardType === 'PERCENT'
      ? words.percent(commissionPercent ?? 0)
      : words.amount(formatMoney(commissionAmountCents ?? 0, commissionCurrency))
  return [
    reward,
    ...(maxCommissionPeriodInMonths === null ? [] : [words.months(maxCommissionPeriodInMonths)]),
    ...(maxCommissions === null ? [] : [words.commissions(maxCommissions)]),
  ].join(', ')
}
