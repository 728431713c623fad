import type { Json } from './canonical.ts'

/** What was computed again, with each step in words. `problem` says why it is not what the statement says. */
export type Computed = { cents: bigint; steps: string[]; problem: string | null }

type Item = { productId: string; amountCents: string; quantity?: number }
type Part = {
  productId: string | null
  quantity: number
  saleCents: string
  basisPoints: number | null
  amountCents: string | null
  cap: { of: string; leftCents: string } | null
  rule: Rule | null
  reason: string | null
}
type Step = { from: string; basisPoints?: number; amountCents?: string }
type Reward = {
  kind: string
  basisPoints?: number
  amountCents?: string
  steps?: Step[]
  measure?: string
  appliesTo?: string
}
type Rule = { id: string | null; version: number | null; reward: Reward | null; cap: Record<string, string> | null }
type Rate = { basisPoints?: number; amountCents?: string; parts?: Part[] }
type Calculation = {
  rule: Rule
  rate: Rate
  cap: { per: 'sale' | 'month' | 'year'; atMostCents: string; usedCents: string }[]
  tier: { before: string; step: number } | null
  saleCents: string
  refunds: { id: string; amountCents: string; items: Item[] }[]
  alreadyCents: string
  resultCents: string
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Hundredths of a percent of an amount, rounded half up, also below 0. */
export function percentOf(cents: bigint, basisPoints: number): bigint {
  const scaled = cents * BigInt(basisPoints) + 5_000n
  const whole = scaled / 10_000n
  return scaled < 0n && whole * 10_000n !== scaled ? whole - 1n : whole
}

/** Computes a commission again, from the sale, its refunds, the rate and the caps that the line has. */
export function computeCommission(raw: Json): Computed {
  const calculation = raw as unknown as Calculation
  const { rate, refunds, cap, alreadyCents } = calculation
  const steps: string[] = []
  const sold = BigInt(calculation.saleCents)
  const left = refunds.reduce((rest, { amountCents }) => rest - BigInt(amountCents), sold)
  steps.push(refunds.length === 0 ? `sale ${sold}` : `sale ${sold}, less ${refunds.length} refunds: ${left}`)
  const byRate = rate.parts ? ofParts(rate.parts, left, refunds, steps) : ofWhole(rate, left, steps)
  const capped = cap.reduce((cents, { per, atMostCents, usedCents }) => {
    const rest = BigInt(atMostCents) - BigInt(usedCents)
    const most = rest > 0n ? rest : 0n
    if (most < cents) steps.push(`at most ${atMostCents} per ${per}, of which ${usedCents} were used: ${most}`)
    return least(cents, most)
  }, byRate)
  const already = BigInt(alreadyCents)
  if (already !== 0n) steps.push(`less ${already} that the sale had earned before: ${capped - already}`)
  const cents = capped - already
  const problem =
    cents === BigInt(calculation.resultCents)
      ? problemOfRule(calculation)
      : `The rule gives ${cents}, not ${calculation.resultCents}.`
  return { cents, steps, problem }
}

function ofWhole({ basisPoints, amountCents }: Rate, left: bigint, steps: string[]): bigint {
  const cents = basisPoints === undefined ? (left > 0n ? BigInt(amountCents ?? 0) : 0n) : percentOf(left, basisPoints)
  steps.push(
    basisPoints === undefined
      ? `a fixed amount: ${cents}`
      : `${basisPoints / 100} % of ${left} = ${(Number(left) * basisPoints) / 10_000}, rounded: ${cents}`,
  )
  return cents
}

type Rest = { cents: bigint; units: { named: bigint; namedCents: bigint } | null }

/** What refunds leave of each part without the items that they name: the first parts of a product go first. */
function withoutItems(parts: readonly Part[], refunds: Calculation['refunds']): Rest[] {
  const items = refunds.flatMap((refund) => refund.items)
  const counted = items.filter(({ quantity }) => quantity !== undefined)
  const takeCents = taker(items, ({ amountCents }) => BigInt(amountCents))
  const takeCounted = taker(counted, ({ amountCents }) => BigInt(amountCents))
  const takeUnits = taker(counted, ({ quantity }) => BigInt(quantity ?? 0))
  return parts.map(({ productId, saleCents, quantity, amountCents }) => {
    const sold = BigInt(saleCents)
    if (sold <= 0n) return { cents: sold, units: null }
    const cents = sold - takeCents(productId, sold)
    if (amountCents === null || productId === null) return { cents, units: null }
    const named = takeUnits(productId, BigInt(quantity))
    return { cents, units: { named, namedCents: takeCounted(productId, sold) } }
  })
}

function taker(items: readonly Item[], of: (item: Item) => bigint) {
  const open = new Map<string, bigint>()
  for (const item of items) open.set(item.productId, (open.get(item.productId) ?? 0n) + of(item))
  return (productId: string | null, most: bigint): bigint => {
    const taken = productId === null ? 0n : least(open.get(productId) ?? 0n, most)
    if (productId !== null) open.set(productId, (open.get(productId) ?? 0n) - taken)
    return taken
  }
}

function ofParts(parts: readonly Part[], left: bigint, refunds: Calculation['refunds'], steps: string[]): bigint {
  const rests = withoutItems(parts, refunds)
  const total = rests.reduce((sum, { cents }) => sum + cents, 0n)
  const shared = least(left, total)
  let [before, divided, sum] = [0n, 0n, 0n]
  const taken = new Map<string, bigint>()
  parts.forEach((part, index) => {
    const { cents: own, units } = rests[index] as Rest
    before += own
    const share = total === 0n ? 0n : (before * shared) / total - divided
    divided += share
    let cents = ofPart(part, share, units)
    if (part.cap) {
      const used = taken.get(part.cap.of) ?? 0n
      const rest = BigInt(part.cap.leftCents) - used
      cents = least(cents, rest > 0n ? rest : 0n)
      taken.set(part.cap.of, used + cents)
    }
    const rate = part.basisPoints === null ? `a fixed amount of ${part.amountCents}` : `${part.basisPoints / 100} %`
    steps.push(`part ${index + 1}${part.productId ? ` (${part.productId})` : ''}: ${rate} of ${share}: ${cents}`)
    sum += cents
  })
  return sum > 0n ? sum : 0n
}

function ofPart({ basisPoints, amountCents, quantity, saleCents }: Part, share: bigint, units: Rest['units']): bigint {
  if (basisPoints !== null) return percentOf(share, basisPoints)
  if (share <= 0n) return 0n
  const cents = BigInt(amountCents ?? 0)
  if (!units) return cents
  const [sold, soldCents] = [BigInt(quantity), BigInt(saleCents)]
  const back = units.named + ((soldCents - units.namedCents - share) * sold) / soldCents
  return back < sold ? (cents * (sold - back)) / sold : 0n
}

/** Whether the rates and caps are those of the version of the rule. */
function problemOfRule({ rule, rate, cap, tier, saleCents }: Calculation): string | null {
  for (const { per, atMostCents } of cap) {
    const ofRule = rule.cap?.[{ sale: 'perSaleCents', month: 'perMonthCents', year: 'perYearCents' }[per]]
    if (ofRule !== undefined && ofRule !== atMostCents)
      return `The cap per ${per} of the rule is ${ofRule}, not ${atMostCents}.`
  }
  if (!rate.parts)
    return rateProblem(rule, rate.basisPoints ?? null, rate.amountCents ?? null, 1, tier, BigInt(saleCents))
  for (const part of rate.parts) {
    if (part.reason !== null) continue
    const problem = rateProblem(part.rule ?? rule, part.basisPoints, part.amountCents, part.quantity, null, 0n)
    if (problem) return problem
  }
  return null
}

function rateProblem(
  { reward, version }: Rule,
  basisPoints: number | null,
  amountCents: string | null,
  quantity: number,
  tier: Calculation['tier'],
  saleCents: bigint,
): string | null {
  if (!reward) return null
  const isOf = (step: { basisPoints?: number; amountCents?: string }): boolean =>
    step.basisPoints === undefined
      ? amountCents === String(BigInt(step.amountCents ?? 0) * BigInt(quantity))
      : basisPoints === step.basisPoints
  const wrong = `The rate is not that of version ${version} of the rules.`
  if (reward.kind === 'percent' || reward.kind === 'amount') return isOf(reward) ? null : wrong
  if (reward.kind === 'none') return basisPoints === 0 ? null : wrong
  const steps = reward.steps ?? []
  if (!tier) return steps.some(isOf) ? null : wrong
  const reached = reachedBy(reward, BigInt(tier.before), saleCents)
  const step = steps[reached]
  return reached === tier.step && step && isOf(step) ? null : wrong
}

/** The step that a sale reaches: by the measure before it, or for tiers of a whole period with it. */
function reachedBy({ steps = [], measure, appliesTo }: Reward, before: bigint, saleCents: bigint): number {
  const at = (value: bigint) =>
    Math.max(
      0,
      steps.findLastIndex(({ from }) => BigInt(from) <= value),
    )
  const first = at(before)
  if (appliesTo !== 'whole_period') return first
  const { basisPoints, amountCents } = steps[first] ?? {}
  const earned = basisPoints === undefined ? BigInt(amountCents ?? 0) : percentOf(saleCents, basisPoints)
  return at(before + (measure === 'conversions' ? 1n : measure === 'revenue' ? saleCents : earned))
}
