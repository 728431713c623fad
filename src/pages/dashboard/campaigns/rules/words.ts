import type { CampaignRuleFragment, CampaignRulesQuery } from '../../../../generated/dashboard/campaigns/graphql.ts'
import { formatMoney } from '../../../parts/format.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import { texts } from '../../texts.ts'

const words = texts.campaigns.rules

export type RuleGroups = CampaignRulesQuery['affiliateGroups']['nodes']

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

const share = (percent: number) => formatNumber(percent / 100, { style: 'percent', maximumFractionDigits: 2 })

/** "10% to 20% by sales in a month". */
function rewardOfTiers(
  { measure, period, steps }: NonNullable<CampaignRuleFragment['reward']['tiers']>,
  currency: string,
) {
  const rewards = [steps[0], steps.at(-1)].map((step) =>
    step?.percent == null ? formatMoney(step?.amountCents ?? 0, currency) : share(step.percent),
  )
  return words.tiers(rewards[0] ?? '', rewards[1] ?? '', words.measures[measure], words.tierPeriods[period])
}

function rewardAlone({
  reward: { percent, amountCents, leadAmountCents, currency, tiers },
}: CampaignRuleFragment): string {
  if (percent !== null) return share(percent)
  if (leadAmountCents !== null) return words.perLead(formatMoney(leadAmountCents, currency ?? ''))
  if (tiers) return rewardOfTiers(tiers, currency ?? '')
  return amountCents === null ? words.nothing : formatMoney(amountCents, currency ?? '')
}

/** What affiliates and groups are called, by id. */
export type Names = ReadonlyMap<string, string>

const mostNames = 5

/** The first names, and how many more there are. An id without a name counts as one more. */
export function namesOf(ids: readonly string[], names: Names): string {
  const known = ids.flatMap((id) => names.get(id) ?? []).slice(0, mostNames)
  const more = ids.length - known.length
  return [...known, ...(more > 0 ? [words.more(more)] : [])].join(', ')
}

/** The conditions of a rule, as a person says them. */
export function conditionsOf({ conditions, reward }: CampaignRuleFragment, names: Names): string {
  const { affiliateIds, groupIds, couponTokens, productIds, billingIntervals, payment } = conditions
  const { minimumAmountCents: least, maximumAmountCents: most, currency } = conditions
  const parts = [
    affiliateIds && words.ofAffiliates(namesOf(affiliateIds, names)),
    groupIds && words.ofGroups(namesOf(groupIds, names)),
    couponTokens && words.withCodes(couponTokens.join(', ')),
    productIds && words.ofProducts(productIds.join(', ')),
    payment && words.payments[payment],
    billingIntervals?.map((interval) => words.intervals[interval]).join(', '),
    least !== null && words.from(formatMoney(least, currency ?? '')),
    most !== null && words.upTo(formatMoney(most, currency ?? '')),
    least === null && most === null && currency && words.inCurrency(currency.toUpperCase()),
  ].filter(Boolean)
  if (parts.length > 0) return parts.join('; ')
  return reward.leadAmountCents === null ? words.allSales : words.allLeads
}
