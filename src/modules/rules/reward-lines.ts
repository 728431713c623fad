import { type Conditions, type Limits, noConditions, type Rate, type RewardLine } from '../../texts/en/reward.ts'
import type { Terms } from './apply.ts'
import { conditions, saleFieldsOf } from './conditions/all.ts'
import type { Earner } from './conditions/condition.ts'
import { rewardCurrency, rewardOf, type StoredReward } from './rewards/all.ts'
import { isOpen, type StoredRule } from './rule.ts'
import type { RuleVersion } from './versions.ts'

/**
 * What sales earn now: first what any sale earns, by the first rule without a condition that the sale decides, else by
 * the campaign's own reward; then the rules that come before it, each with its condition; then leads.
 */
export function rewardLines(campaign: Terms, version: RuleVersion | null, earner: Earner, now: Date): RewardLine[] {
  const at = now.toISOString()
  const holds = (rule: StoredRule) => rule.startsAt <= at && isOpen(rule, at) && isFor(rule, earner)
  const rules = (version?.rules ?? []).filter(holds)
  const end = rules.findIndex((rule) => isForAnySale(rule, earner))
  const base = rules[end]
  const special = end === -1 ? rules : rules.slice(0, end)
  const lead = version?.leadRules.find(holds)
  return [
    ...baseLines(campaign, base),
    ...special.map((rule) => specialLine(rule, earner, campaign)),
    ...(lead?.reward.kind === 'lead'
      ? [{ code: 'lead', amount: moneyOf(lead.reward.amountCents, lead.reward.currency), until: endOf(lead) } as const]
      : []),
  ]
}

const moneyOf = (cents: string | bigint, currency: string) => ({ cents: BigInt(cents), currency })
const endOf = ({ endsAt }: StoredRule) => (endsAt === null ? null : new Date(endsAt))

const isFor = (rule: StoredRule, earner: Earner) =>
  conditions.every(({ isFor: isForEarner }) => !isForEarner || isForEarner(rule.conditions, earner))

/** All customers of a newcomer are new. */
const isForAnySale = ({ conditions: stored, appliesTo }: StoredRule, { affiliateId }: Earner) =>
  saleFieldsOf(stored).length === 0 && (appliesTo === 'all_sales' || affiliateId === null)

function baseLines(campaign: Terms, rule: StoredRule | undefined): RewardLine[] {
  const { limits, caps, until } = rule ? limitsOf(rule, campaign) : { limits: {}, caps: [], until: null }
  const { maxCommissions, maxPeriodInMonths, daysBeforeDue } = limits
  const count = maxCommissions ?? campaign.maxCommissions
  return [
    {
      code: 'earn',
      rate: rule ? rateOf(rule.reward, campaign) : ownRate(campaign),
      months: maxPeriodInMonths ?? campaign.maxCommissionPeriodInMonths,
    },
    ...(count === null ? [] : [{ code: 'most', count } as const]),
    ...caps.map((cap) => ({ code: 'cap', ...cap }) as const),
    ...(until ? [{ code: 'until', at: until } as const] : []),
    { code: 'due', days: daysBeforeDue ?? campaign.daysBeforeCommissionsAreDue },
  ]
}

function specialLine(rule: StoredRule, earner: Earner, campaign: Terms): RewardLine {
  const { limits, caps, until } = limitsOf(rule, campaign)
  const own: Limits = { most: limits.maxCommissions ?? null, months: limits.maxPeriodInMonths ?? null, caps, until }
  return { code: 'special', conditions: saidOf(rule, earner), rate: rateOf(rule.reward, campaign), limits: own }
}

/** A percentage is capped in each currency by the same number. It is shown in the campaign's. */
function limitsOf(rule: StoredRule, { commissionCurrency }: Terms) {
  const { limits, cap = {}, reward } = rule
  const currency = rewardCurrency(reward) ?? rule.conditions.currency ?? commissionCurrency
  const mosts = [
    ['sale', cap.perSaleCents],
    ['month', cap.perMonthCents],
    ['year', cap.perYearCents],
  ] as const
  const caps = mosts.flatMap(([per, cents]) => (cents === undefined ? [] : [{ per, most: moneyOf(cents, currency) }]))
  return { limits, caps, until: endOf(rule) }
}

const saidOf = ({ conditions: stored, appliesTo, startsAt }: StoredRule, earner: Earner): Conditions =>
  Object.assign(
    { ...noConditions, customersSince: appliesTo === 'new_customers' ? new Date(startsAt) : null },
    ...conditions.map(({ said }) => said?.(stored, earner)),
  )

const ownRate = ({ rewardType, commissionBasisPoints, commissionAmountCents, commissionCurrency }: Terms): Rate => ({
  flat:
    rewardType === 'percent'
      ? { basisPoints: commissionBasisPoints ?? 0 }
      : moneyOf(commissionAmountCents ?? 0n, commissionCurrency),
})

const rateOf = (reward: StoredReward, { commissionCurrency }: Terms): Rate =>
  rewardOf(reward).rate(reward, commissionCurrency)
