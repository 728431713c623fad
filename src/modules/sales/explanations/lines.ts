import type { Commission, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { NoCommissionReason } from '../../../generated/prisma/enums.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { remainingParts } from '../../../kernel/money/refund-effect.ts'
import { earningRule } from '../../commissions/calculate.ts'
import type { CommissionLine } from '../../commissions/lines.ts'
import { soldItems } from '../items/read.ts'

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

const reasons: Partial<Record<NoCommissionReason, string>> = {
  max_commissions_reached: 'the referral already had as many commissions as the rule allows',
  commission_period_over: 'the commission period had ended',
  rule_earns_nothing: 'the rule says that it earns nothing',
}

/** What the lines of a rule for products would earn without its cap. */
export const uncappedOf = (ruleId: string, lines: readonly ExplainedLine[]): bigint =>
  lines.reduce((sum, { rule, uncappedCents }) => (rule?.id === ruleId ? sum + uncappedCents : sum), 0n)

/** Tiers divide the rest of a sale. */
const restName = (all: readonly ExplainedLine[]): string =>
  all.filter(({ productId }) => productId === null).length > 1 ? 'A part of the sale' : 'The rest of the sale'

/** @param all lines of the commission @param currency of the sale @param earnedCurrency of the commission */
export function lineSentence(
  line: ExplainedLine,
  all: readonly ExplainedLine[],
  currency: string,
  earnedCurrency: string,
): string {
  const what = line.productId === null ? restName(all) : (line.name ?? line.productId)
  const by = line.rule ? `, by the rule "${line.rule.name}"` : ''
  const reason = line.reason && reasons[line.reason]
  if (reason) return `${what}${by}: nothing, because ${reason}.`
  const of = readableAmount(line.saleCents, currency)
  const cents = readableAmount(line.uncappedCents, earnedCurrency)
  const left =
    line.commissionCents === line.uncappedCents
      ? ''
      : `, of which ${readableAmount(line.commissionCents, earnedCurrency)} is paid`
  if (line.fixedCents === null)
    return `${what}${by}: ${(line.basisPoints ?? 0) / 100} percent of ${of} is ${cents}${left}.`
  const units = line.quantity !== 1 && line.productId !== null ? ` for ${line.quantity} units` : ''
  return `${what}${by}: a fixed ${cents}${units}${left}.`
}
