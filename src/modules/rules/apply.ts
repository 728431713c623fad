import type { Campaign } from '../../generated/prisma/client.ts'
import { type CapLimit, type CapUse, limitsOfCap } from './cap.ts'
import { chooseRule, type Miss } from './choose.ts'
import type { SaleToReward, StoredReward, StoredRule } from './rule.ts'
import { type Standing, type TierOfSale, tierOf } from './tiers.ts'
import type { RuleVersion } from './versions.ts'

/** Which rule applied to a sale, stored with the sale as JSON. */
export type AppliedRule = {
  /** The version of the campaign's rules. */
  version: number
  /** Null: the campaign's own reward, because no rule applied. */
  id: string | null
  name: string | null
  /** The rule that came nearest, and why it did not apply. */
  runnerUp: { id: string; name: string; miss: Miss } | null
}

/** The fields of a campaign that a rule replaces. */
type Terms = Pick<
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
export type ItemTerms = Terms & { rule: Pick<StoredRule, 'id' | 'name'>; earnsNothing?: boolean }

export type ChosenRule = { rule: StoredRule | null; applied: AppliedRule }

/** Chooses the rule of a version that applies to a sale. */
export function chosenFor({ number: version, rules }: RuleVersion, sale: SaleToReward): ChosenRule {
  const { rule, runnerUp: nearest } = chooseRule(rules, { ...sale, productId: null })
  const runnerUp = nearest && { id: nearest.rule.id, name: nearest.rule.name, miss: nearest.miss }
  return { rule, applied: { version, id: rule?.id ?? null, name: rule?.name ?? null, runnerUp } }
}

/** What the rule that applies counts of the affiliate's earlier sales: for its cap, and for its tiers. */
export type Counted = { use: CapUse; standing: Standing }

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
  { rules }: RuleVersion,
  { rule, applied }: ChosenRule,
  sale: SaleToReward,
  { use, standing }: Counted,
): C & AppliedTerms {
  const tier = rule?.reward.kind === 'tiers' ? tierOf(rule.reward, standing, sale.amountCents) : undefined
  const terms = {
    ...campaign,
    ...(rule && termsOfRule(rule, tier ? rewardOfStep(tier) : (rule.reward as FlatReward), campaign)),
    applied,
    ...(rule?.cap && { cap: limitsOfCap(rule.cap, use) }),
    ...(tier && { tier }),
  }
  const itemTerms = itemTermsOf(campaign, terms, rules, sale)
  return itemTerms ? { ...terms, itemTerms } : terms
}

type FlatReward = Exclude<StoredReward, { kind: 'tiers' | 'lead' }>

function rewardOfStep({ tiers: { steps, currency }, step }: TierOfSale): FlatReward {
  const { basisPoints, amountCents } = steps[step] ?? {}
  if (basisPoints !== undefined) return { kind: 'percent', basisPoints }
  return { kind: 'amount', amountCents: amountCents as string, currency: currency as string }
}

/** What a rule replaces of the campaign. */
function termsOfRule({ limits }: StoredRule, reward: FlatReward, campaign: Terms): Terms & { earnsNothing?: boolean } {
  return {
    rewardType: reward.kind === 'amount' ? 'amount' : 'percent',
    commissionBasisPoints: reward.kind === 'percent' ? reward.basisPoints : reward.kind === 'none' ? 0 : null,
    commissionAmountCents: reward.kind === 'amount' ? BigInt(reward.amountCents) : null,
    commissionCurrency: reward.kind === 'amount' ? reward.currency : campaign.commissionCurrency,
    maxCommissions: limits.maxCommissions ?? campaign.maxCommissions,
    maxCommissionPeriodInMonths: limits.maxPeriodInMonths ?? campaign.maxCommissionPeriodInMonths,
    daysBeforeCommissionsAreDue: limits.daysBeforeDue ?? campaign.daysBeforeCommissionsAreDue,
    ...(reward.kind === 'none' && { earnsNothing: true }),
  }
}

/** The currency in which a sale earns by a rule. */
export const currencyOf = ({ reward }: StoredRule, sale: { currency: string }): string =>
  reward.kind === 'amount' || reward.kind === 'tiers' ? (reward.currency ?? sale.currency) : sale.currency

/**
 * A commission has one currency, so a rule for products applies only if its reward is in the currency of the sale, as
 * the reward of the rest of the sale is. A rule for products has neither tiers nor a cap.
 */
function itemTermsOf(
  campaign: Terms,
  terms: Terms,
  rules: readonly StoredRule[],
  sale: SaleToReward,
): (ItemTerms | null)[] | undefined {
  const { items = [] } = sale
  const currency = terms.rewardType === 'amount' ? terms.commissionCurrency : sale.currency
  if (items.length === 0 || currency !== sale.currency) return undefined
  const forItems = rules.filter(
    ({ conditions, reward }) => !conditions.productIds || reward.kind !== 'amount' || reward.currency === sale.currency,
  )
  if (!forItems.some(({ conditions }) => conditions.productIds)) return undefined
  const all = items.map(({ productId }): ItemTerms | null => {
    const { rule } = chooseRule(forItems, { ...sale, productId })
    if (!rule?.conditions.productIds) return null
    return { ...termsOfRule(rule, rule.reward as FlatReward, campaign), rule: { id: rule.id, name: rule.name } }
  })
  return all.some((one) => one !== null) ? all : undefined
}
