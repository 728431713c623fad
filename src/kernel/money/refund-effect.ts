import { percentOf } from './amounts.ts'

/** What a sale earns: hundredths of a percent of it, or else a fixed amount. */
export type EarningRule = { basisPoints: number } | { amountCents: bigint }

/**
 * The commission after refunds, in minor units. A percentage applies to the rest, rounded half up; a fixed amount stays
 * until nothing remains.
 */
export function remainingCommission(rule: EarningRule, remainingCents: bigint): bigint {
  if (remainingCents === 0n) return 0n
  return 'basisPoints' in rule ? percentOf(remainingCents, rule.basisPoints) : rule.amountCents
}

export type RefundEffect =
  | { kind: 'same' | 'voided' }
  /** The commission becomes `cents`. */
  | { kind: 'lowered'; cents: bigint }
  /** `cents` of a commission that is paid are owed back. */
  | { kind: 'debt'; cents: bigint }

/**
 * What a refund does to a commission that is not void. It never raises it.
 * @param currentCents what the sale has earned until now, with the debts of earlier refunds
 * @param remainingCents what remains of the sale after the refund
 */
export function refundEffect(
  rule: EarningRule,
  { isPaid, currentCents, remainingCents }: { isPaid: boolean; currentCents: bigint; remainingCents: bigint },
): RefundEffect {
  const cents = remainingCommission(rule, remainingCents)
  if (isPaid) return cents < currentCents ? { kind: 'debt', cents: currentCents - cents } : { kind: 'same' }
  if (remainingCents === 0n) return { kind: 'voided' }
  return cents < currentCents ? { kind: 'lowered', cents } : { kind: 'same' }
}
