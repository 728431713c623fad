import { readableAmount } from '../../kernel/money/decimals.ts'
import type { PeriodSpan } from '../../kernel/periods.ts'
import { localOf } from '../../kernel/time-zone.ts'
import type { AppliedRule } from './apply.ts'
import { type CapLimit, tightest } from './cap.ts'
import type { Miss } from './choose.ts'
import type { Standing, Tiers } from './tiers.ts'

const misses: Record<Miss, string> = {
  not_started: 'it had not started',
  ended: 'it had ended',
  customer_not_new: 'it is for customers who came after its start',
  other_affiliate: 'it is for other affiliates',
  other_group: 'it is for other groups of affiliates',
  other_coupon: 'it is for other coupon codes',
  other_product: 'it is for other products',
  other_interval: 'it is for another billing interval',
  other_payment: 'it is for another payment of the customer',
  other_amount: 'it is for other amounts or currencies',
  less_specific: 'it is less specific',
  older: 'it is older',
}

type Shown = Omit<AppliedRule, 'version'> & { version?: number }

/** Says which rule applied, and why the nearest other one did not. Without a version, it is about a plan. */
export function ruleSentences({ version, id, name, runnerUp }: Shown): string[] {
  const won = id === null ? "The campaign's own reward applies" : `The rule "${name}" applies`
  return [
    version === undefined ? `${won}.` : `${won} (version ${version} of the rules).`,
    ...(runnerUp ? [`The rule "${runnerUp.name}" does not: ${misses[runnerUp.miss]}.`] : []),
  ]
}

const spans: Record<CapLimit['per'], string> = { sale: 'a sale', month: 'a month', year: 'a year' }

/** Says what a cap takes away from an amount. None if it is not above the cap. */
export function cappedSentences(cents: bigint, limits: readonly CapLimit[], currency: string): string[] {
  const limit = tightest(limits)
  if (!limit || limit.leftCents >= cents) return []
  const amount = (some: bigint) => readableAmount(some, currency)
  const used = limit.per === 'sale' ? '' : `, of which ${amount(limit.usedCents)} were earned before`
  return [
    `The rule pays at most ${amount(limit.atMostCents)} for ${spans[limit.per]}${used}: ${amount(limit.leftCents)} is left, so ${amount(cents - limit.leftCents)} is not paid.`,
  ]
}

/** As `cappedSentences`, for the items of a rule for products. */
export const cappedItemsSentences = (
  name: string,
  cents: bigint,
  limits: readonly CapLimit[],
  currency: string,
): string[] =>
  cappedSentences(cents, limits, currency).map((said) => said.replace('The rule pays', () => `The rule "${name}" pays`))

export function usedUpSentence(limits: readonly CapLimit[], currency: string): string {
  const limit = tightest(limits)
  if (!limit) return 'No commission: the cap of the rule is used up.'
  return `No commission: the rule pays at most ${readableAmount(limit.atMostCents, currency)} for ${spans[limit.per]}, and ${readableAmount(limit.usedCents, currency)} were earned before.`
}

const periodWords: Record<Tiers['period'], string> = {
  month: 'in the month',
  quarter: 'in the quarter',
  year: 'in the year',
  ever: 'in all',
}

/** "12 sales", or "1200.00 USD of revenue". */
function measured({ measure }: Tiers, value: bigint, currency: string): string {
  if (measure === 'conversions') return value === 1n ? '1 sale' : `${value} sales`
  return `${readableAmount(value, currency)} of ${measure}`
}

/** "20 percent", or "15.00 USD". */
function earnedBy({ steps, currency }: Tiers, step: number): string {
  const { basisPoints, amountCents } = steps[step] ?? {}
  return basisPoints === undefined
    ? readableAmount(BigInt(amountCents ?? 0), currency ?? '')
    : `${basisPoints / 100} percent`
}

/**
 * Says by which step of tiers a sale earns, or its items under a rule for products.
 * @param currency of revenue, or of commissions @param rule the name of the rule for products
 */
export function tierSentence(tiers: Tiers, step: number, before: bigint, currency: string, rule?: string): string {
  const from = measured(tiers, BigInt(tiers.steps[step]?.from ?? 0), currency)
  const whole = tiers.appliesTo === 'whole_period' ? ', with this one' : ''
  const what = rule === undefined ? 'It earns' : `By the rule "${rule}", its items earn`
  return `${what} by the step from ${from} ${periodWords[tiers.period]}${whole}: ${earnedBy(tiers, step)}. Before it, the affiliate had ${measured(tiers, before, currency)} ${periodWords[tiers.period]}.`
}

/** The reason of a correction: what all sales of the period earn now, and why. */
export function tierReason(
  name: string,
  tiers: Tiers,
  step: number,
  { conversions, revenueCents, commissionsCents }: Standing,
  { from }: PeriodSpan,
  timeZone: string,
  currency: string,
): string {
  const { measure, period } = tiers
  const value = measure === 'conversions' ? conversions : measure === 'revenue' ? revenueCents : commissionsCents
  const since = from ? ` from ${new Date(localOf(from.getTime(), timeZone)).toISOString().slice(0, 10)}` : ''
  return `the rule "${name}" gives ${earnedBy(tiers, step)} of every sale ${periodWords[period]}${since}, because the affiliate has ${measured(tiers, value, currency)}`
}
