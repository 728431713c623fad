import type { Commission, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { NoCommissionReason } from '../../../generated/prisma/enums.ts'
import { remainingParts } from '../../../kernel/money/refund-effect.ts'
import type { WhyLine } from '../../../texts/en/why.ts'
import { earningRule } from '../../commissions/calculate.ts'
import type { CommissionLine } from '../../commissions/lines.ts'
import { soldItems } from '../items/read-items.ts'

/** A line of a commission after refunds. Amounts are in minor units. */
export type ExplainedLine = Pick<CommissionLine, 'productId' | 'quantity' | 'basisPoints' | 'rule'> & {
  /** What the product is called. Null if the report did not say, and for the rest of the sale. */
  name: string | null
  saleCents: bigint
  /** The fixed amount for all units. Null if it is a percentage. */
  fixedCents: bigint | null
  commissionCents: bigint
  /** What it would earn without the cap of its rule. */
  uncappedCents: bigint
  reason: NoCommissionReason | null
}

/** @param remainingCents what remains of the sale @param refunds those that are deducted */
export function explainedLines(
  sale: Pick<Sale, 'items'>,
  earned: Commission,
  remainingCents: bigint,
  refunds: readonly Refund[],
): ExplainedLine[] {
  const rule = earningRule(earned, refunds)
  if (!('parts' in rule)) return []
  const rests = remainingParts(rule.parts, remainingCents)
  const uncapped = remainingParts(
    rule.parts.map(({ cap: _, ...part }) => part),
    remainingCents,
  )
  const names = new Map(soldItems(sale).map(({ productId, name }) => [productId, name]))
  return (earned.ruleLines as CommissionLine[]).map((line, index) => {
    const { productId, basisPoints, fixedCents, rule: by, reason = null } = line
    const { saleCents = 0n, cents = 0n, units } = rests[index] ?? {}
    const quantity = units === undefined ? line.quantity : Number(units)
    return {
      productId,
      quantity,
      basisPoints,
      rule: by,
      reason,
      saleCents,
      commissionCents: cents,
      uncappedCents: uncapped[index]?.cents ?? 0n,
      name: productId === null ? null : (names.get(productId) ?? null),
      fixedCents: fixedCents === null ? null : BigInt(fixedCents),
    }
  })
}

/** What the lines of a rule for products would earn without its cap. */
export const uncappedOf = (ruleId: string, lines: readonly ExplainedLine[]): bigint =>
  lines.reduce((sum, { rule, uncappedCents }) => (rule?.id === ruleId ? sum + uncappedCents : sum), 0n)

/** @param all lines of the commission @param currency of the sale @param earnedCurrency of the commission */
export function whyOfLine(
  line: ExplainedLine,
  all: readonly ExplainedLine[],
  currency: string,
  earnedCurrency: string,
): WhyLine {
  const { productId, name, rule, reason, basisPoints, commissionCents, uncappedCents } = line
  const part = {
    name: name ?? productId,
    // Tiers divide the rest of a sale.
    isOneOfSeveral: all.filter((one) => one.productId === null).length > 1,
    isByRule: rule !== null && rule !== undefined,
    rule: rule?.name ?? null,
  }
  if (reason && isNothing(reason)) return { code: 'partNothing', ...part, reason }
  const earned = { cents: uncappedCents, currency: earnedCurrency }
  const paid = commissionCents === uncappedCents ? null : { cents: commissionCents, currency: earnedCurrency }
  if (line.fixedCents === null)
    return {
      code: 'partPercent',
      ...part,
      basisPoints: basisPoints ?? 0,
      base: { cents: line.saleCents, currency },
      earned,
      paid,
    }
  const units = line.quantity !== 1 && productId !== null ? line.quantity : null
  return { code: 'partFixed', ...part, earned, units, paid }
}

type Nothing = Extract<WhyLine, { code: 'partNothing' }>['reason']
const nothings: readonly string[] = [
  'max_commissions_reached',
  'commission_period_over',
  'rule_earns_nothing',
] satisfies Nothing[]
const isNothing = (reason: NoCommissionReason): reason is Nothing => nothings.includes(reason)
