import type { Refund } from '../../generated/prisma/client.ts'
import type { Json } from '../../kernel/canonical-json.ts'
import { remainingCommission } from '../../kernel/money/refund-effect.ts'
import { earningRule } from '../commissions/calculate.ts'
import { cappedCents } from '../rules/cap.ts'
import type { StoredRule } from '../rules/rule.ts'
import { tierOf } from '../rules/tiers.ts'
import { capOf } from '../sales/decision.ts'
import { type BookedState, termsAt } from './book.ts'
import type { LedgerCommission, LedgerFact, LedgerRefund, LedgerSale, SaleTerms } from './read-ledger.ts'

/** The rules of a version, by the campaign and the number: `campaignId number`. */
export type Versions = ReadonlyMap<string, { holdsFrom: Date; rules: readonly StoredRule[] }>

export const versionKey = (campaignId: string, number: number): string => `${campaignId} ${number}`

/**
 * By what a commission of a sale is computed again: see docs/statement-format.md. `by` says whether the rule gives the
 * amount, or a person has set another. Null for a commission without a sale.
 */
export function calculationOf(
  commission: LedgerCommission,
  { amountCents, state }: BookedState,
  until: number,
  versions: Versions,
): { [name: string]: Json } | null {
  const { sale: sold, refundId } = commission
  if (!sold || commission.kind !== 'sale') return null
  const sale = { ...sold, ...termsAt(sold, sold.former, until) }
  // A debt or a credit is computed by the rule of the commission that the sale earned, which is paid and stays.
  const terms = termsAt(commission, commission.former, until)
  const refunds = countedRefunds(commission, sold, until)
  const remaining = refunds.reduce((rest, refund) => rest - BigInt(refund.amountCents), BigInt(sale.amountCents))
  const rule = {
    ruleRewardType: terms.ruleRewardType,
    ruleBasisPoints: terms.ruleBasisPoints,
    ruleAmountCents: terms.ruleAmountCents === null ? null : BigInt(terms.ruleAmountCents),
    ruleLines: terms.ruleLines,
  }
  const named = refunds as unknown as readonly Pick<Refund, 'items'>[]
  const byRule = cappedCents(remainingCommission(earningRule(rule, named), remaining), capOf(sale.rule ?? undefined))
  const already = refundId === null ? 0n : earnedBefore(commission, sold)
  const resultCents = byRule - already
  const isByPerson = commission.facts.some(
    ({ kind, bookedAt, refundId: by }) =>
      bookedAt < until && (kind === 'amended' || (kind === 'voided' && by === null)),
  )
  // What is void keeps its amount, and is worth nothing.
  const worth = state === 'void' ? 0n : amountCents
  return {
    rule: ruleOf(sale, terms.ruleId, versions),
    rate: rateOf(rule, sale, versions),
    cap: (sale.rule?.cap ?? []).map(({ per, atMostCents, usedCents }) => ({ per, atMostCents, usedCents })),
    tier: tierOfSale(sale),
    saleCents: sale.amountCents,
    refunds: refunds.map(({ id, amountCents: cents, items }) => ({
      id,
      amountCents: cents,
      items: (items ?? []).map(({ productId, amountCents: ofItem, quantity }) => ({
        productId,
        amountCents: ofItem,
        ...(quantity !== undefined && { quantity }),
      })),
    })),
    alreadyCents: String(already),
    resultCents: String(resultCents),
    by: resultCents === worth ? 'rule' : isByPerson ? 'person' : 'other',
  }
}

/** Null also if the amount was changed, and the sale earns by the step that it had reached before. */
function tierOfSale({ rule, amountCents }: SaleTerms): Json {
  if (!rule?.tier) return null
  const { before, step } = rule.tier
  const measure = BigInt(before)
  const standing = { conversions: measure, revenueCents: measure, commissionsCents: measure }
  return tierOf(rule.tier, standing, BigInt(amountCents)).step === step ? { before, step } : null
}

/** When a refund counts here: from when it is booked for this commission, else from when it was recorded. */
const bookedRefund = ({ id, createdAt }: LedgerRefund, facts: readonly LedgerFact[]): number =>
  facts.find(({ refundId }) => refundId === id)?.bookedAt ?? createdAt

/** The refunds that a commission was lowered for. Those after its payment have debts of their own. */
function countedRefunds({ id, refundId, facts }: LedgerCommission, sale: LedgerSale, until: number): LedgerRefund[] {
  const isCounted = (refund: LedgerRefund) =>
    bookedRefund(refund, facts) < until && (refund.reversedAt === null || refund.reversedAt >= until)
  const own = sale.refunds.find((refund) => refund.id === refundId)
  // The refunds until the one that this debt is for.
  if (own) return sale.refunds.filter((refund) => refund.id <= own.id && (refund.id === own.id || isCounted(refund)))
  const apart = new Set(sale.commissions.filter((one) => one.id !== id).map((one) => one.refundId))
  return sale.refunds.filter((refund) => isCounted(refund) && !apart.has(refund.id))
}

/** What the sale had earned before a debt or a credit. */
const earnedBefore = ({ id }: LedgerCommission, { commissions }: LedgerSale): bigint =>
  commissions.reduce((sum, one) => (one.id < id ? sum + BigInt(one.amountCents) : sum), 0n)

type Rule = Parameters<typeof earningRule>[0]

function rateOf(rule: Rule, sale: LedgerSale, versions: Versions): Json {
  if (rule.ruleLines === null)
    return rule.ruleRewardType === 'percent'
      ? { basisPoints: rule.ruleBasisPoints ?? 0 }
      : { amountCents: String(rule.ruleAmountCents ?? 0n) }
  const lines = rule.ruleLines as NonNullable<LedgerCommission['ruleLines']>
  return {
    parts: lines.map((line) => ({
      productId: line.productId,
      quantity: line.quantity,
      saleCents: line.saleCents,
      basisPoints: line.basisPoints,
      amountCents: line.fixedCents,
      cap: line.rule && line.capLeftCents !== undefined ? { of: line.rule.id, leftCents: line.capLeftCents } : null,
      rule: line.rule && ruleOf(sale, line.rule.id, versions),
      reason: line.reason ?? null,
    })),
  }
}

/** The reward of the campaign itself, as it was recorded with the sale. */
const ownReward = ({ rewardType, basisPoints, amountCents, currency }: NonNullable<LedgerSale['rule']>): Json =>
  rewardType === 'percent'
    ? { kind: 'percent', basisPoints: basisPoints ?? 0 }
    : { kind: 'amount', amountCents: amountCents ?? '0', currency }

/** A rule as its version has it, without its name and its conditions, which can name other affiliates. */
export function ruleOf(
  { campaignId, rule }: Pick<LedgerSale, 'campaignId' | 'rule'>,
  id: string | null,
  versions: Versions,
): Json {
  const number = rule?.applied?.version ?? null
  const version = number === null ? undefined : versions.get(versionKey(campaignId, number))
  const found = version?.rules.find((one) => one.id === id)
  return {
    campaignId,
    version: number,
    holdsFrom: version?.holdsFrom.toISOString() ?? null,
    id,
    reward: found ? (found.reward as unknown as Json) : id === null && rule ? ownReward(rule) : null,
    cap: (found?.cap as unknown as Json) ?? null,
  }
}
