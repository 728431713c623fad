import { z } from 'zod'
import type { Campaign } from '../../../generated/prisma/client.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { placedAt } from '../../../kernel/input/entries.ts'
import { cents, described, oneOf, optional, percent, positiveCents, required } from '../../../kernel/input/fields.ts'
import { entries, entry } from '../../../kernel/input/lists.ts'
import { problem, readFields } from '../../../kernel/input/parse.ts'
import { type Period, periods } from '../../../kernel/periods.ts'
import type { FlatRate } from '../../../texts/en/reward.ts'
import { aboveAll, defineReward, maxPercent, type Read } from './reward.ts'

/** What the steps of tiers are about. */
export const tierMeasures = ['conversions', 'revenue', 'commissions'] as const

/** Whether only what is above a threshold earns by its step, or all sales of the period do. */
export const tierScopes = ['above', 'whole_period'] as const

/** What is earned from a value of the measure on: minor units of revenue and commissions, else a number. */
export type TierStep = { from: string; basisPoints?: number; amountCents?: string }

export type Tiers = {
  kind: 'tiers'
  measure: (typeof tierMeasures)[number]
  period: Period
  appliesTo: (typeof tierScopes)[number]
  /** The first is from 0, each later one from more. All have a percentage, or all an amount. */
  steps: TierStep[]
  /** Of fixed amounts. Null for percentages. */
  currency: string | null
}

/** More would be no table that a person reads. */
const maxSteps = 20

export const commissionRuleTiersInput = z.object({
  measure: required(
    described(
      oneOf('TierMeasure', tierMeasures),
      'What is measured, of the sales of the affiliate in the campaign, without what was refunded.',
    ),
  ),
  period: required(
    described(
      oneOf('TierPeriod', periods),
      "The calendar period of the program's time zone in which it is measured. A sale counts in that in which it occurred.",
    ),
  ),
  steps: required(
    described(
      entries('CommissionRuleStepInput', maxSteps),
      'What is earned from which value of the measure on: the first step from 0, each later one from more.',
    ),
  ),
  appliesTo: required(
    described(
      oneOf('TierScope', tierScopes),
      'Whether only what is above a threshold earns by its step, or all sales of the period.',
    ),
  ),
})

export const commissionRuleStepInput = z.object({
  from: required(
    described(
      cents(),
      "The value of the measure from which the step applies: a number of sales, or minor units of the sale's currency, or of the commission's.",
      { example: 10 },
    ),
  ),
  percent: optional(
    described(percent(maxPercent), 'The percentage of the sale. Above 100 only with `confirmAboveAll` of the rule.'),
  ),
  amountCents: optional(
    described(positiveCents(), "A fixed amount for each sale, in minor units of the campaign's `commissionCurrency`.", {
      example: 1500,
    }),
  ),
})

export const tiers = defineReward({
  input: {
    tiers: optional(
      described(entry('CommissionRuleTiersInput'), 'A table of steps over what the affiliate has sold or earned.'),
    ),
  },
  read: (given, campaign) => (given.tiers === undefined ? null : readTiers(given.tiers, campaign)),
  aboveAll: ({ steps }: Tiers) =>
    steps.flatMap(({ basisPoints = 0 }, index) =>
      aboveAll(basisPoints).map((one) => placedAt(['tiers', 'steps', index], one)),
    ),
  currencyOf: ({ currency }) => currency,
  rate({ measure, period, appliesTo, steps, currency: ofSteps }, ofCampaign) {
    const currency = ofSteps ?? ofCampaign
    const rateOf = ({ basisPoints, amountCents = '0' }: TierStep): FlatRate =>
      basisPoints === undefined ? { cents: BigInt(amountCents), currency } : { basisPoints }
    const rates = steps.map((step) => ({ from: BigInt(step.from), rate: rateOf(step) }))
    return { tiers: { measure, period, wholePeriod: appliesTo === 'whole_period', currency, steps: rates } }
  },
})

/** Reads a table of steps, with every problem. */
function readTiers(raw: unknown, { commissionCurrency }: Pick<Campaign, 'commissionCurrency'>): Read<Tiers> {
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

function readStep(raw: unknown, appliesTo: Tiers['appliesTo']): Read<TierStep> {
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
