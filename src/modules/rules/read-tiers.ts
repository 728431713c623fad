import type { Campaign } from '../../generated/prisma/client.ts'
import type { Problem } from '../../kernel/errors.ts'
import { placedAt } from '../../kernel/input/entries.ts'
import { problem, readFields } from '../../kernel/input/parse.ts'
import { commissionRuleStepInput, commissionRuleTiersInput } from './input.ts'
import type { TierStep } from './rule.ts'
import type { Tiers } from './tiers.ts'

/** Reads a table of steps, with every problem. */
export function readTiers(
  raw: unknown,
  { commissionCurrency }: Pick<Campaign, 'commissionCurrency'>,
): { value: Tiers; problems: Problem[] } {
  const { readable, problems } = readFields(commissionRuleTiersInput, raw)
  const { measure = 'conversions', period = 'month', appliesTo = 'above', steps: given = [] } = readable
  const read = given.map((step) => readStep(step, appliesTo))
  const steps = read.map(({ value }) => value)
  problems.push(...read.flatMap((step, index) => step.problems.map((one) => placedAt(['steps', index], one))))
  if (problems.length === 0) problems.push(...orderProblems(steps))
  const currency = steps[0]?.amountCents === undefined ? null : commissionCurrency
  const value: Tiers = { kind: 'tiers', measure, period, appliesTo, steps, currency }
  return { value, problems: problems.map((one) => placedAt(['tiers'], one)) }
}

function readStep(raw: unknown, appliesTo: Tiers['appliesTo']): { value: TierStep; problems: Problem[] } {
  const { readable, problems } = readFields(commissionRuleStepInput, raw)
  const { from = 0n, percent, amountCents } = readable
  if (problems.length === 0 && (percent === undefined) === (amountCents === undefined))
    problems.push(problem('percent', 'or the amount must be given: exactly one of them'))
  if (appliesTo === 'whole_period' && percent === 0)
    problems.push(problem('percent', 'must be above 0: a sale that earned nothing has no commission to correct'))
  const reward = percent === undefined ? { amountCents: String(amountCents) } : { basisPoints: percent }
  return { value: { from: String(from), ...reward }, problems }
}

function orderProblems(steps: readonly TierStep[]): Problem[] {
  const at = (index: number, field: string, message: string) => placedAt(['steps', index], problem(field, message))
  return steps.flatMap(({ from, amountCents }, index): Problem[] => {
    const before = steps[index - 1]
    if (!before)
      return from === '0' ? [] : [at(index, 'from', 'must be 0 in the first step: it applies below the others')]
    return [
      ...(BigInt(from) > BigInt(before.from) ? [] : [at(index, 'from', 'must be above that of the step before')]),
      ...((amountCents === undefined) === (before.amountCents === undefined)
        ? []
        : [at(index, 'percent', 'must be given in all steps, or in none: steps do not mix percentages and amounts')]),
    ]
  })
}
