import type { Campaign } from '../../generated/prisma/client.ts'
import { type CapLimit, type CapUse, limitsOfCap, needsUse, unused } from './cap.ts'
import { chooseRule, type RuleMiss } from './choose.ts'
import { rewardCurrency, rewardOf, type StoredReward, tiersOf } from './rewards/all.ts'
import type { RewardTerms } from './rewards/reward.ts'
import type { StoredRule } from './rule.ts'
import type { SaleToReward } from './sale.ts'
import { nothingSold, type SoldInPeriod, type TierOfSale, tierOf, tierOfItems } from './tiers.ts'
import type { RuleVersion } from './versions.ts'

/** Which rule applied to a sale, stored with the sale as JSON. */
export type AppliedRule = {
  /** The version of the campaign's rules. */
  version: number
  /** Null: the campaign's own reward, because no rule applied. */
  id: string | null
  name: string | null
  /** The rule that came nearest, and why it did not apply. */
  runnerUp: { id: string; name: string; miss: RuleMiss } | null
}

/** The fields of a campaign that a rule replaces. */
export type Terms = Pick<
  Campaign,
  | 'rewardType'
  | 'commissionBasisPoints'
  | 'commissionAmountCents'
  | 'commissionCurrency'
  | 'maxCommissions'
  | 'maxCommissionPeriodInMonths'
  | 'daysBeforeCommissionsAreDue'
>

/** The terms of a rule for one product, which earns instead of the reward of the whole sale. */
export type ItemTerms = Terms & {
  rule: Pick<StoredRule, 'id' | 'name'>
  earnsNothing?: boolean
  /** For all items of the rule. */
  cap?: CapLimit[]
  tier?: TierOfSale
}

export type ChosenRule = {
  rule: StoredRule | null
  applied: AppliedRule
  /** The rule for products of each item, in the order of the sale: null for an item that earns with the rest. */
  itemRules: (StoredRule | null)[]
}

/** Chooses the rule of a version that applies to a sale, and those for its items. */
export function chosenFor(campaign: Terms, { number: version, rules }: RuleVersion, sale: SaleToReward): ChosenRule {
  const rest = { ...sale, productId: null }
  const chosen = chooseRule(rules, rest)
  const { rule } = chosen
  const itemRules = itemRulesOf(rule ? currencyOf(rule, sale) : ownCurrency(campaign, sale), rules, sale)
  // A rule that an item earns by has applied.
  const isOther = (one: StoredRule) => !itemRules.includes(one)
  const hasOther = !chosen.runnerUp || isOther(chosen.runnerUp.rule)
  const { runnerUp: nearest } = hasOther ? chosen : chooseRule(rules.filter(isOther), rest)
  const runnerUp = nearest && { id: nearest.rule.id, name: nearest.rule.name, miss: nearest.miss }
  const applied = { version, id: rule?.id ?? null, name: rule?.name ?? null, runnerUp }
  return { rule, applied, itemRules }
}

/** The rules that apply to a sale or to items of it, each once. */
export const rulesChosen = ({ rule, itemRules }: ChosenRule): StoredRule[] => [
  ...new Set([rule, ...itemRules].filter((one) => one !== null)),
]

/** What a rule counts of the affiliate's earlier sales: for its cap, and for its tiers. */
export type Counted = { use: CapUse; standing: SoldInPeriod }

/** Whether a rule counts earlier sales of the affiliate. */
export const countsSales = (rule: StoredRule): boolean => needsUse(rule.cap) || tiersOf(rule) !== null

/** By the id of the rule. A rule that counts nothing needs no entry. */
export type CountedByRule = ReadonlyMap<string, Counted>

const nothingCounted: Counted = { use: unused, standing: nothingSold }

/** What the rule that applies adds to the campaign's terms. */
export type AppliedTerms = {
  applied: AppliedRule
  earnsNothing?: boolean
  cap?: CapLimit[]
  tier?: TierOfSale
  itemTerms?: (ItemTerms | null)[]
}

/**
 * The campaign's terms for a sale: those of the rule that applies, else its own. `itemTerms` has those of each item,
 * in the order of the sale: null for an item that earns with the rest. It is absent if all do.
 */
export function termsOf<C extends Terms>(
  campaign: C,
  { rule, applied, itemRules }: ChosenRule,
  sale: SaleToReward,
  counted: CountedByRule = new Map(),
): C & AppliedTerms {
  const { use, standing } = (rule && counted.get(rule.id)) ?? nothingCounted
  const tiers = rule && tiersOf(rule)
  const tier = tiers ? tierOf(tiers, standing, sale.amountCents) : undefined
  const terms = {
    ...campaign,
    ...(rule && termsOfRule(rule, tier, campaign)),
    applied,
    ...(rule?.cap && { cap: limitsOfCap(rule.cap, use) }),
    ...(tier && { tier }),
  }
  if (!itemRules.some((one) => one !== null)) return terms
  const byRule = new Map(
    [...new Set(itemRules)].flatMap((one) =>
      one ? [[one, itemTermsOf(one, campaign, sale, itemRules, counted)]] : [],
    ),
  )
  return { ...terms, itemTerms: itemRules.map((one) => (one && byRule.get(one)) ?? null) }
}

function rewardOfStep({ tiers: { steps, currency }, step }: TierOfSale): StoredReward {
  const { basisPoints, amountCents } = steps[step] ?? {}
  if (basisPoints !== undefined) return { kind: 'percent', basisPoints }
  return { kind: 'amount', amountCents: amountCents as string, currency: currency as string }
}

/** What a rule replaces of the campaign. */
function termsOfRule(
  { reward, limits }: StoredRule,
  tier: TierOfSale | undefined,
  campaign: Terms,
): Terms & { earnsNothing?: boolean } {
  const flat = tier ? rewardOfStep(tier) : reward
  return {
    commissionCurrency: campaign.commissionCurrency,
    ...(rewardOf(flat).terms?.(flat) as RewardTerms),
    maxCommissions: limits.maxCommissions ?? campaign.maxCommissions,
    maxCommissionPeriodInMonths: limits.maxPeriodInMonths ?? campaign.maxCommissionPeriodInMonths,
    daysBeforeCommissionsAreDue: limits.daysBeforeDue ?? campaign.daysBeforeCommissionsAreDue,
  }
}

/** The currency in which a sale earns by a rule. */
export const currencyOf = ({ reward }: StoredRule, sale: { currency: string }): string =>
  rewardCurrency(reward) ?? sale.currency

const ownCurrency = ({ rewardType, commissionCurrency }: Terms, sale: SaleToReward): string =>
  rewardType === 'amount' ? commissionCurrency : sale.currency

/**
 * A commission has one currency, so a rule for products applies only if its reward is in the currency of the sale, as
 * the reward of the rest of the sale is.
 */
function itemRulesOf(currency: string, rules: readonly StoredRule[], sale: SaleToReward): (StoredRule | null)[] {
  const { items = [] } = sale
  if (items.length === 0 || currency !== sale.currency) return []
  const forItems = rules.filter((rule) => !rule.conditions.productIds || currencyOf(rule, sale) === sale.currency)
  if (!forItems.some(({ conditions }) => conditions.productIds)) return []
  return items.map(({ productId }) => {
    const { rule } = chooseRule(forItems, { ...sale, productId })
    return rule?.conditions.productIds ? rule : null
  })
}

/** The terms of a rule for products, for its items of a sale. */
function itemTermsOf(
  rule: StoredRule,
  campaign: Terms,
  { items = [], amountCents }: SaleToReward,
  itemRules: readonly (StoredRule | null)[],
  counted: CountedByRule,
): ItemTerms {
  const { use, standing } = counted.get(rule.id) ?? nothingCounted
  const own = items.filter((_, index) => itemRules[index] === rule)
  const itemsCents = own.reduce((sum, item) => sum + BigInt(item.amountCents), 0n)
  const { cap, id, name } = rule
  const tiers = tiersOf(rule)
  const tier = tiers ? tierOfItems(tiers, standing, amountCents, itemsCents) : undefined
  return {
    ...termsOfRule(rule, tier, campaign),
    rule: { id, name },
    ...(cap && { cap: limitsOfCap(cap, use) }),
    ...(tier && { tier }),
  }
}
