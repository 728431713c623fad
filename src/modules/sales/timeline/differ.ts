import { calculateRemaining, type Earned } from '../../commissions/calculate.ts'
import type { CommissionLine } from '../../commissions/lines.ts'
import { cappedCents } from '../../rules/cap.ts'
import { capOf, type Decision } from '../decision.ts'
import type { Evaluated } from './evaluate.ts'
import { earnedOf, earnsNothingNow } from './fact-of.ts'
import type { StoredSale } from './stored.ts'

/** Whether a sale should have earned in another way than it has: by another rule, another rate, or not at all. */
export function differs(sale: StoredSale, { earned: expected, terms }: Evaluated): boolean {
  const recorded = earnedOf(sale)
  const earnsNothing = recorded === null || earnsNothingNow(recorded)
  if ('reason' in expected) return !earnsNothing || sale.noCommissionReason !== expected.reason
  if (earnsNothing) return true
  if (recorded.ruleId !== (terms.applied?.id ?? null) || recorded.currency !== expected.currency) return true
  // Corrections make all sales of the period earn by one step: see `correctTiers`.
  const isWhole = [terms.tier, ...(terms.itemTerms ?? []).map((own) => own?.tier)].some(
    (tier) => tier?.tiers.appliesTo === 'whole_period',
  )
  if (isWhole) return false
  return (
    grossOf(sale, recorded) !== expected.amountCents || !isSame(recorded.ruleLines as CommissionLine[] | null, expected)
  )
}

/** What a commission was before refunds, by its own copy of the rule. */
const grossOf = (sale: StoredSale, recorded: NonNullable<ReturnType<typeof earnedOf>>): bigint =>
  cappedCents(calculateRemaining(recorded, sale.amountCents, []), capOf((sale.decision as Decision | null)?.rule))

function isSame(recorded: CommissionLine[] | null, { lines = [] }: Exclude<Earned, { reason: unknown }>): boolean {
  const recordedLines = recorded ?? []
  const textOf = (line: CommissionLine | undefined) => [
    line?.saleCents,
    line?.basisPoints,
    line?.fixedCents,
    line?.capLeftCents,
    line?.rule?.id,
  ]
  return (
    recordedLines.length === lines.length &&
    recordedLines.every((line, index) => `${textOf(line)}` === `${textOf(lines[index])}`)
  )
}
