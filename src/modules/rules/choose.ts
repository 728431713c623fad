import type { payments, SaleToReward, StoredConditions, StoredRule } from './rule.ts'

/** Why a rule is not the one that applies. */
export type Miss =
  | 'not_started'
  | 'ended'
  | 'customer_not_new'
  | 'other_affiliate'
  | 'other_group'
  | 'other_coupon'
  | 'other_product'
  | 'other_interval'
  | 'other_payment'
  | 'other_amount'
  | 'less_specific'
  | 'older'

/** The rule that applies to a sale. Null: the campaign's own reward. */
export type Choice = {
  rule: StoredRule | null
  /** The rule that came nearest. Null if the campaign has no other one. */
  runnerUp: { rule: StoredRule; miss: Miss } | null
}

/** What makes a rule specific, the strongest first. A rule with more of the stronger ones comes first. */
const kinds: readonly (readonly (keyof StoredConditions)[])[] = [
  ['affiliateIds'],
  ['groupIds'],
  ['couponTokens'],
  ['productIds'],
  ['billingIntervals', 'payment'],
  ['minimumAmountCents', 'maximumAmountCents', 'currency'],
]

/** One bit for each kind of condition, the strongest highest. */
const specificity = ({ conditions }: StoredRule): number =>
  kinds.reduce((sum, names) => sum * 2 + (names.some((name) => conditions[name] !== undefined) ? 1 : 0), 0)

/**
 * The one order of rules: affiliate before group before coupon before product before interval and payment before
 * amount; then the newest first.
 * Source: docs/rules.md.
 */
export const inOrder = (rules: readonly StoredRule[]): StoredRule[] =>
  rules.toSorted(
    (a, b) =>
      specificity(b) - specificity(a) ||
      b.createdAt.localeCompare(a.createdAt) ||
      // Ids of one moment still have an order.
      b.id.localeCompare(a.id),
  )

/** A part of a sale. Null: the part that is no product. */
type SoldPart = SaleToReward & { productId: string | null }

/** Chooses the first rule whose conditions hold. @param rules as `inOrder` returns them */
export function chooseRule(rules: readonly StoredRule[], sale: SoldPart): Choice {
  const at = sale.occurredAt.toISOString()
  let nearest: Choice['runnerUp'] = null
  for (const [index, rule] of rules.entries()) {
    const misses = missesOf(rule, sale, at)
    const [miss] = misses
    if (!miss) return { rule, runnerUp: nearest ?? nextAfter(rules, index, sale) }
    if (misses.length === 1) nearest ??= { rule, miss }
  }
  return { rule: null, runnerUp: nearest }
}

/** The next rule that would have applied. */
function nextAfter(rules: readonly StoredRule[], index: number, sale: SoldPart): Choice['runnerUp'] {
  const won = rules[index] as StoredRule
  const rule = rules.slice(index + 1).find((other) => missesOf(other, sale, sale.occurredAt.toISOString()).length === 0)
  if (!rule) return null
  return { rule, miss: specificity(rule) < specificity(won) ? 'less_specific' : 'older' }
}

function missesOf({ conditions, startsAt, endsAt, appliesTo }: StoredRule, sale: SoldPart, at: string): Miss[] {
  const misses: Miss[] = []
  if (at < startsAt) misses.push('not_started')
  if (endsAt !== null && at >= endsAt) misses.push('ended')
  if (appliesTo === 'new_customers' && sale.customerSince && sale.customerSince.toISOString() < startsAt)
    misses.push('customer_not_new')
  const { affiliateIds, groupIds, couponTokens, productIds, billingIntervals, payment } = conditions
  if (affiliateIds && !affiliateIds.includes(sale.affiliateId)) misses.push('other_affiliate')
  if (groupIds && !sale.groupIds.some((id) => groupIds.includes(id))) misses.push('other_group')
  if (couponTokens && !sale.couponKeys.some((key) => couponTokens.includes(key))) misses.push('other_coupon')
  if (productIds && !(sale.productId !== null && isProduct(sale.productId, productIds))) misses.push('other_product')
  if (billingIntervals && !(sale.billingInterval && billingIntervals.includes(sale.billingInterval)))
    misses.push('other_interval')
  if (payment && !isPayment[payment](sale)) misses.push('other_payment')
  if (!isAmount(conditions, sale)) misses.push('other_amount')
  return misses
}

/** Whether the id is one of these, or begins with one that ends with `*`. */
export const isProduct = (productId: string, named: readonly string[]): boolean =>
  named.some((name) => (name.endsWith('*') ? productId.startsWith(name.slice(0, -1)) : productId === name))

/** The facts decide what is the first payment of a customer; the number in a report is about a subscription. */
const isPayment: Record<(typeof payments)[number], (sale: SaleToReward) => boolean> = {
  first: ({ customerSince }) => customerSince === null,
  renewal: ({ customerSince }) => customerSince !== null,
  first_of_subscription: ({ paymentNumber }) => paymentNumber === 1,
}

function isAmount({ minimumAmountCents, maximumAmountCents, currency }: StoredConditions, sale: SaleToReward): boolean {
  if (currency !== undefined && currency !== sale.currency) return false
  if (minimumAmountCents !== undefined && sale.amountCents < BigInt(minimumAmountCents)) return false
  return maximumAmountCents === undefined || sale.amountCents <= BigInt(maximumAmountCents)
}
