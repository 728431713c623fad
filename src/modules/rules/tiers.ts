import { percentOf } from '../../kernel/money/rounding.ts'
import type { PeriodSpan } from '../../kernel/periods.ts'
import { tiersOf } from './rewards/all.ts'
import type { TierStep, Tiers } from './rewards/tiers.ts'
import type { StoredRule } from './rule.ts'

/** What an affiliate has sold and earned in a campaign in the period of a sale, in the currencies of the sale. */
export type SoldInPeriod = { conversions: bigint; revenueCents: bigint; commissionsCents: bigint }

export const nothingSold: SoldInPeriod = { conversions: 0n, revenueCents: 0n, commissionsCents: 0n }

const measureOf = ({ measure }: Tiers, { conversions, revenueCents, commissionsCents }: SoldInPeriod): bigint =>
  measure === 'conversions' ? conversions : measure === 'revenue' ? revenueCents : commissionsCents

/** The number of the last step that a value of the measure has reached. The first one is from 0. */
const stepFor = ({ steps }: Tiers, value: bigint): number =>
  Math.max(
    0,
    steps.findLastIndex(({ from }) => BigInt(from) <= value),
  )

/** The number of the step that an affiliate has reached. */
export const stepAt = (tiers: Tiers, standing: SoldInPeriod): number => stepFor(tiers, measureOf(tiers, standing))

/** The tiers of a rule, if they are for the whole period. */
export function wholePeriodTiers(rule: Pick<StoredRule, 'reward'>): Tiers | null {
  const tiers = tiersOf(rule)
  return tiers?.appliesTo === 'whole_period' ? tiers : null
}

/** The part of a sale that earns by a step. */
export type TierPart = { amountCents: bigint; basisPoints: number }

/** How the tiers of a rule apply to a sale. */
export type TierOfSale = {
  tiers: Tiers
  /** The measure before the sale. */
  before: bigint
  /** The step by which it earns: the first of several. */
  step: number
  /** Parts that earn by different steps, in order. Absent if the whole sale earns by one. */
  parts?: TierPart[]
}

/**
 * What a sale earns by a step, or an item of it, in minor units, rounded half up.
 * @param cents the sale or the item after refunds @param quantity the units of the item
 */
export function earnedByStep({ steps }: Tiers, step: number, cents: bigint, quantity = 1): bigint {
  const { basisPoints, amountCents } = steps[step] as TierStep
  if (basisPoints !== undefined) return percentOf(cents, basisPoints)
  return cents <= 0n ? 0n : BigInt(amountCents as string) * BigInt(quantity)
}

/**
 * The step of a sale. Tiers for what is above: by the measure before the sale; a sale that passes a threshold of an
 * amount has parts. Tiers for the whole period: by the measure with the sale.
 */
export function tierOf(tiers: Tiers, standing: SoldInPeriod, saleCents: bigint): TierOfSale {
  const before = measureOf(tiers, standing)
  const first = stepFor(tiers, before)
  if (tiers.appliesTo === 'whole_period')
    return { tiers, before, step: stepFor(tiers, before + addedBy(tiers, first, saleCents)) }
  const parts = tiers.measure === 'conversions' ? [] : partsOf(tiers, before, saleCents)
  return { tiers, before, step: first, ...(parts.length > 1 && { parts }) }
}

/**
 * The step of the items of a sale under a rule for products. An item is not divided: tiers for what is above take the
 * measure before the sale, tiers for the whole period that with it.
 * @param itemsCents the items of the rule
 */
export function tierOfItems(tiers: Tiers, standing: SoldInPeriod, saleCents: bigint, itemsCents: bigint): TierOfSale {
  const before = measureOf(tiers, standing)
  const first = stepFor(tiers, before)
  if (tiers.appliesTo === 'above') return { tiers, before, step: first }
  const added = addedBy(tiers, first, tiers.measure === 'commissions' ? itemsCents : saleCents)
  return { tiers, before, step: stepFor(tiers, before + added) }
}

/** What a sale adds to the measure, if it earns by a step. */
function addedBy(tiers: Tiers, step: number, saleCents: bigint): bigint {
  if (tiers.measure === 'conversions') return 1n
  return tiers.measure === 'revenue' ? saleCents : earnedByStep(tiers, step, saleCents)
}

/** Splits a sale at the thresholds that it passes. A fixed amount cannot be split. */
function partsOf(tiers: Tiers, before: bigint, saleCents: bigint): TierPart[] {
  const { measure, steps } = tiers
  const parts: TierPart[] = []
  let [reached, left] = [before, saleCents]
  for (let index = stepFor(tiers, before); left > 0n; index += 1) {
    const { basisPoints } = steps[index] as TierStep
    if (basisPoints === undefined) return []
    const next = steps[index + 1]
    const room = next && roomUntil(BigInt(next.from) - reached, measure === 'revenue' ? null : basisPoints)
    const amountCents = room === undefined || room === null || left <= room ? left : room
    parts.push({ amountCents, basisPoints })
    reached = next ? BigInt(next.from) : reached
    left -= amountCents
  }
  return parts
}

/** How much of a sale a measure needs to grow by so much. Null if it never does. */
function roomUntil(cents: bigint, basisPoints: number | null): bigint | null {
  if (basisPoints === null) return cents
  if (basisPoints === 0) return null
  const points = BigInt(basisPoints)
  return (cents * 10_000n + points - 1n) / points
}

/** The span as two texts for a statement. Null is no limit. */
export const textsOf = ({ from, to }: PeriodSpan): [string, string] => [
  from?.toISOString() ?? '-infinity',
  to?.toISOString() ?? 'infinity',
]
