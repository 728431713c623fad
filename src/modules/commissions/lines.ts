import type { Refund } from '../../generated/prisma/client.ts'
import type { NoCommissionReason } from '../../generated/prisma/enums.ts'
import type { Part } from '../../kernel/money/refund-effect.ts'
import type { SoldItem } from '../rules/sale.ts'
import type { TierPart } from '../rules/tiers.ts'
import type { Rule, SaleRule } from './rule.ts'

/** A line of a commission, stored as JSON: amounts are text in minor units. */
export type CommissionLine = {
  /** Null: the part of the sale that earns by the reward of the whole sale, or that is no product. */
  productId: string | null
  quantity: number
  /** The part of the sale that it is for. The lines of a commission add up to its sale. */
  saleCents: string
  /** The percentage in hundredths of a percent. Null if it is a fixed amount. */
  basisPoints: number | null
  /** The fixed amount for all units. Null if it is a percentage. */
  fixedCents: string | null
  /** What the cap of its rule left for all lines of the rule. Absent without a cap. */
  capLeftCents?: string
  /** What it earned when the sale was recorded: rounded half up, and within the cap of its rule. */
  earnedCents: string
  /** The rule for products that applied to it. Null: the reward of the whole sale. */
  rule: { id: string; name: string } | null
  /** Why it earns nothing. Absent if it does. */
  reason?: NoCommissionReason
}

/** An item that a refund names, stored as JSON. Without a quantity, the units follow from the amount. */
export type RefundedItem = { productId: string; amountCents: string; quantity?: number }

/** The items that a refund names. Empty if it names none. */
export const refundedItems = ({ items }: Pick<Refund, 'items'>): readonly RefundedItem[] =>
  (items ?? []) as RefundedItem[]

type SalePart = { productId: string | null; quantity: number; cents: bigint; rule: Rule }

/**
 * The parts of a sale that earn by themselves. Under a percentage, each item is one, and so is what they leave of the
 * sale. A fixed amount for the whole sale is one part for all that no rule for products takes out, and so are tiers for
 * the whole period. A part that passes a threshold of tiers is divided there.
 */
export function linesOf(
  rule: SaleRule,
  { amountCents, items = [] }: { amountCents: bigint; items?: readonly SoldItem[] },
): SalePart[] {
  const byItem = items.map(({ productId, quantity, amountCents: cents }, index) => {
    const itemRule = rule.itemTerms?.[index] ?? null
    return { productId, quantity, cents: BigInt(cents), rule: itemRule ?? rule, isOwn: itemRule !== null }
  })
  const isFixed = rule.rewardType === 'amount' && !rule.earnsNothing
  const isOne = isFixed || rule.tier?.tiers.appliesTo === 'whole_period'
  const parts = byItem.filter(({ isOwn }) => isOwn || !isOne).map(({ isOwn: _, ...part }): SalePart => part)
  const rest = parts.reduce((left, { cents }) => left - cents, amountCents)
  const all = rest !== 0n ? [...parts, { productId: null, quantity: 1, cents: rest, rule }] : parts
  return rule.tier?.parts ? divided(all, rule, rule.tier.parts) : all
}

/** Divides parts at the thresholds of tiers. Those under a rule for products keep their reward. */
function divided(parts: readonly SalePart[], rule: Rule, tierParts: readonly TierPart[]): SalePart[] {
  const open = tierParts.map(({ amountCents, basisPoints }) => ({ left: amountCents, basisPoints }))
  const [first] = open
  // Credit lines make room in the first tier, so that the others are divided as the whole sale is.
  if (first) for (const { cents, rule: own } of parts) if (cents < 0n && own === rule) first.left -= cents
  const ofCredits = first ? { ...rule, commissionBasisPoints: first.basisPoints } : rule
  return parts.flatMap((part) => {
    if (part.cents <= 0n) return [part.rule === rule ? { ...part, rule: ofCredits } : part]
    const pieces: SalePart[] = []
    for (let left = part.cents; left > 0n; ) {
      const tier = open[0]
      const cents = tier && tier.left < left ? tier.left : left
      const tierRule = tier ? { ...rule, commissionBasisPoints: tier.basisPoints } : rule
      pieces.push({ ...part, cents, rule: tierRule })
      left -= cents
      if (tier) tier.left -= cents
      if (tier?.left === 0n) open.shift()
    }
    return part.rule === rule ? pieces : [part]
  })
}

/**
 * What is left of each line without the items that refunds name: the first lines of a product go first. `units` are of
 * a line with a fixed amount for each unit.
 */
export function linesWithout(
  lines: readonly CommissionLine[],
  refunds: readonly Pick<Refund, 'items'>[],
): Pick<Part, 'saleCents' | 'units'>[] {
  const items = refunds.flatMap(refundedItems)
  const counted = items.filter(({ quantity }) => quantity !== undefined)
  const takeCents = takerOf(items, ({ amountCents }) => BigInt(amountCents))
  const takeCountedCents = takerOf(counted, ({ amountCents }) => BigInt(amountCents))
  const takeUnits = takerOf(counted, ({ quantity }) => BigInt(quantity ?? 0))
  return lines.map(({ productId, saleCents, quantity, fixedCents }) => {
    const [soldCents, sold] = [BigInt(saleCents), BigInt(quantity)]
    // A credit line is not given back.
    if (soldCents <= 0n) return { saleCents: soldCents }
    const left = soldCents - takeCents(productId, soldCents)
    if (fixedCents === null || productId === null) return { saleCents: left }
    const named = takeUnits(productId, sold)
    return { saleCents: left, units: { sold, soldCents, named, namedCents: takeCountedCents(productId, soldCents) } }
  })
}

/** Takes what refunds name of a product, at most so much at a time. */
function takerOf(items: readonly RefundedItem[], of: (item: RefundedItem) => bigint) {
  const open = new Map<string, bigint>()
  for (const item of items) open.set(item.productId, (open.get(item.productId) ?? 0n) + of(item))
  return (productId: string | null, most: bigint): bigint => {
    const left = productId === null ? 0n : (open.get(productId) ?? 0n)
    const taken = left < most ? left : most
    if (productId !== null) open.set(productId, left - taken)
    return taken
  }
}
