import type { CampaignRuleFragment } from '../../../../generated/dashboard/campaigns/graphql.ts'
import { formatMoney } from '../../../parts/format.tsx'
import { texts } from '../../texts.ts'
import { conditions } from './conditions/all.ts'
import type { Names } from './conditions/condition.ts'
import { rewards } from './rewards/all.ts'

const words = texts.campaigns.rules

/** The reward of a rule and its cap. @param programCurrency in which the cap of a percentage is shown */
export function rewardOfRule(rule: CampaignRuleFragment, programCurrency: string): string {
  const { cap, reward } = rule
  if (!cap) return rewardAlone(rule)
  const currency = reward.currency ?? programCurrency
  const parts = [
    cap.perSaleCents !== null && words.mostPerSale(formatMoney(cap.perSaleCents, currency)),
    cap.perMonthCents !== null && words.mostPerMonth(formatMoney(cap.perMonthCents, currency)),
    cap.perYearCents !== null && words.mostPerYear(formatMoney(cap.perYearCents, currency)),
  ].filter(Boolean)
  return [rewardAlone(rule), ...parts].join(', ')
}

const rewardAlone = ({ reward }: CampaignRuleFragment): string =>
  Object.values(rewards).flatMap(({ said }) => said(reward) ?? [])[0] ?? ''

/** The conditions of a rule, as a person says them. */
export function conditionsOf({ conditions: stored, reward }: CampaignRuleFragment, names: Names): string {
  const parts = conditions.flatMap(({ said }) => said(stored, names) ?? [])
  if (parts.length > 0) return parts.join('; ')
  return reward.leadAmountCents === null ? words.allSales : words.allLeads
}
