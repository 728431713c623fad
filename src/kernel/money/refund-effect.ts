import { percentOf } from './rounding.ts'

/** What a part of a sale earns: hundredths of a percent of it, or else a fixed amount. */
export type Rate = { basisPoints: number } | { amountCents: bigint }

/** What a sale earns: one rate for all of it, or a rate for each of the parts that it consists of. */
export type EarningRule = Rate | { parts: readonly Part[] }

/**
 * Parts of one `cap` earn at most its `leftCents` in all. A fixed amount of a part with `units` is for all that were
 * sold: each unit that is given back loses its share.
 */
export type Part = { saleCents: bigint; rate: Rate; cap?: { of: string; leftCents: bigint }; units?: Units }

/** How many units were sold for how much, and how many of them refunds have named, with the amounts of these. */
type Units = { sold: bigint; soldCents: bigint; named: bigint; namedCents: bigint }

const earnedOf = (rate: Rate, saleCents: bigint, units?: Units): bigint => {
  if ('basisPoints' in rate) return percentOf(saleCents, rate.basisPoints)
  // A credit line takes away nothing of a fixed amount.
  if (saleCents <= 0n) return 0n
  return units ? (rate.amountCents * unitsLeft(units, saleCents)) / units.sold : rate.amountCents
}

/** The units that refunds leave. Where they name no quantity, a unit is given back once its whole price is. */
function unitsLeft({ sold, soldCents, named, namedCents }: Units, leftCents: bigint): bigint {
  const givenBack = named + ((soldCents - namedCents - leftCents) * sold) / soldCents
  return givenBack < sold ? sold - givenBack : 0n
}

/**
 * The commission after refunds, in minor units: a percentage of the rest, rounded half up, or the fixed amount. Of a
 * sale in parts, each part is rounded for itself.
 */
export function remainingCommission(rule: EarningRule, remainingCents: bigint): bigint {
  if (!('parts' in rule)) return earnedOf(rule, remainingCents)
  const earned = remainingParts(rule.parts, remainingCents).reduce((sum, { cents }) => sum + cents, 0n)
  return earned > 0n ? earned : 0n
}

/**
 * Divides what remains of a sale among its parts, by their size. The shares add up to it, and none is more than its
 * part. `cents` is what a part earns: of a cap that several share, the first take theirs first. `units` are those that
 * are left, 0 with nothing of the amount; undefined if the part does not count them.
 */
export function remainingParts(
  parts: readonly Part[],
  remainingCents: bigint,
): { saleCents: bigint; cents: bigint; units: bigint | undefined }[] {
  const total = parts.reduce((sum, { saleCents }) => sum + saleCents, 0n)
  const left = remainingCents < total ? remainingCents : total
  let [before, divided] = [0n, 0n]
  const takeFrom = capTaker()
  return parts.map(({ saleCents, rate, cap, units }) => {
    before += saleCents
    const share = total === 0n ? 0n : (before * left) / total - divided
    divided += share
    const rest = units && (share === 0n ? 0n : unitsLeft(units, share))
    return { saleCents: share, cents: takeFrom(cap, earnedOf(rate, share, units)), units: rest }
  })
}

/** Takes amounts from caps that several parts share. Each returns what the cap still leaves of it. */
export function capTaker(): (cap: Part['cap'], cents: bigint) => bigint {
  const taken = new Map<string, bigint>()
  return (cap, cents) => {
    if (!cap) return cents
    const before = taken.get(cap.of) ?? 0n
    const left = cap.leftCents > before ? cap.leftCents - before : 0n
    const own = cents < left ? cents : left
    taken.set(cap.of, before + own)
    return own
  }
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

/** The earned commission of a sale, a debt or a credit. `isReversed`: the refund of the latter is reversed. */
type EarnedPart = { amountCents: bigint; isVoid: boolean; isReversed: boolean }

/**
 * What a sale has earned until now, with debts and credits. A debt that a person voided counts, so that a later refund
 * does not create it again; if its refund is reversed, it does not count.
 */
export const earnedUntilNow = (commissions: readonly EarnedPart[]): bigint =>
  commissions.reduce((sum, { amountCents, isVoid, isReversed }) => (isVoid && isReversed ? sum : sum + amountCents), 0n)

type Refunded = { id: string; amountCents: bigint; reversedAt: Date | null }
type AmountFact = { id: string; kind: string; deltaCents: bigint }

/**
 * What a sale earns with the refunds that are not reversed, as if the others had never been: the amount by the last
 * change by hand, else the earned one, and at most what the rule gives for the rest of the sale if it was refunded
 * since.
 *
 * @param facts all facts of the commission that the sale earned, oldest first
 */
export function commissionWithout(
  rule: EarningRule,
  saleCents: bigint,
  facts: readonly AmountFact[],
  refunds: readonly Refunded[],
): bigint {
  const last = facts.findLastIndex(({ kind }) => kind === 'amended' || kind === 'earned')
  const set = facts.slice(0, last + 1).reduce((sum, { deltaCents }) => sum + deltaCents, 0n)
  const amended = facts[last]?.kind === 'amended' ? (facts[last]?.id ?? '') : ''
  const left = refunds.filter(({ reversedAt }) => reversedAt === null)
  if (!left.some(({ id }) => id > amended)) return set
  const cents = remainingCommission(
    rule,
    left.reduce((rest, { amountCents }) => rest - amountCents, saleCents),
  )
  return cents < set ? cents : set
}
