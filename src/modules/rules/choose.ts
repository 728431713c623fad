import { conditionMisses, missesOf, specificity } from './conditions/all.ts'
import type { StoredRule } from './rule.ts'
import type { SoldPart } from './sale.ts'

/** Why a rule is not the one that applies, and the meaning. */
export const misses = {
  not_started: 'The sale occurred before the rule starts.',
  ended: 'The sale occurred after the rule ended.',
  customer_not_new: 'The rule is for new customers, and the first sale of this customer was before its start.',
  ...conditionMisses,
  less_specific: 'A more specific rule applies.',
  older: 'A newer rule that is as specific applies.',
}

export type RuleMiss = keyof typeof misses

/** The rule that applies to a sale. Null: the campaign's own reward. */
export type Choice = {
  rule: StoredRule | null
  /** The rule that came nearest. Null if the campaign has no other one. */
  runnerUp: { rule: StoredRule; miss: RuleMiss } | null
}

/**
 * The one order of rules: affiliate before group before coupon before product before interval and payment before
 * amount; then the newest first.
 * Source: docs/rules.md.
 */
export const inOrder = (rules: readonly StoredRule[]): StoredRule[] =>
  rules.toSorted(
    (a, b) =>
      specificity(b.conditions) - specificity(a.conditions) ||
      b.createdAt.localeCompare(a.createdAt) ||
      // Ids of one moment still have an order.
      b.id.localeCompare(a.id),
  )

/** Chooses the first rule whose conditions hold. @param rules as `inOrder` returns them */
export function chooseRule(rules: readonly StoredRule[], sale: SoldPart): Choice {
  const at = sale.occurredAt.toISOString()
  let nearest: Choice['runnerUp'] = null
  for (const [index, rule] of rules.entries()) {
    const missed = missesOfRule(rule, sale, at)
    const [miss] = missed
    if (!miss) return { rule, runnerUp: nearest ?? nextAfter(rules, index, sale) }
    if (missed.length === 1) nearest ??= { rule, miss }
  }
  return { rule: null, runnerUp: nearest }
}

/** The next rule that would have applied. */
function nextAfter(rules: readonly StoredRule[], index: number, sale: SoldPart): Choice['runnerUp'] {
  const won = rules[index] as StoredRule
  const rule = rules
    .slice(index + 1)
    .find((other) => missesOfRule(other, sale, sale.occurredAt.toISOString()).length === 0)
  if (!rule) return null
  return { rule, miss: specificity(rule.conditions) < specificity(won.conditions) ? 'less_specific' : 'older' }
}

function missesOfRule({ conditions, startsAt, endsAt, appliesTo }: StoredRule, sale: SoldPart, at: string): RuleMiss[] {
  const missed: RuleMiss[] = []
  if (at < startsAt) missed.push('not_started')
  if (endsAt !== null && at >= endsAt) missed.push('ended')
  if (appliesTo === 'new_customers' && sale.customerSince && sale.customerSince.toISOString() < startsAt)
    missed.push('customer_not_new')
  return [...missed, ...missesOf(conditions, sale)]
}
