import type { Affiliate } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'

/** Commissions in minor units of one currency, and how many there are. */
export type Earnings = { amountCents: bigint; commissions: number }

/** What sales earn before and after a change of rules, in one currency. */
export type ComparedEarnings = {
  currency: string
  /** The number of sales in this currency. They can earn commissions in another one. */
  sales: number
  before: Earnings
  after: Earnings
  /** By the id of the affiliate. */
  affiliates: Map<string, Change>
}

/** The earnings of sales by their currency. */
export type Comparison = Map<string, ComparedEarnings>

export function earningsIn(comparison: Comparison, currency: string): ComparedEarnings {
  const zero = () => ({ amountCents: 0n, commissions: 0 })
  return getOrInsert(comparison, currency, () => {
    return { currency, sales: 0, before: zero(), after: zero(), affiliates: new Map() }
  })
}

/** Adds an amount to one side. It counts as so many commissions. */
export function addEarnings(
  comparison: Comparison,
  side: 'before' | 'after',
  affiliateId: string,
  { currency, amountCents }: { currency: string; amountCents: bigint },
  commissions = 1,
): void {
  const total = earningsIn(comparison, currency)
  total[side].amountCents += amountCents
  total[side].commissions += commissions
  const zero = () => ({ beforeCents: 0n, afterCents: 0n })
  getOrInsert(total.affiliates, affiliateId, zero)[`${side}Cents`] += amountCents
}

export const inOrder = (comparison: Comparison): ComparedEarnings[] =>
  [...comparison.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1))

/** What an affiliate earns by two sets of rules, in minor units of one currency. */
type Change = { beforeCents: bigint; afterCents: bigint }
export type AffiliateChange = Change & { affiliate: Affiliate; currency: string }

function getOrInsert<V extends object>(map: Map<string, V>, key: string, create: () => V): V {
  const existing = map.get(key)
  if (existing) return existing
  const created = create()
  map.set(key, created)
  return created
}

const sizeOf = ({ beforeCents: a, afterCents: b }: Change) => (a < b ? b - a : a - b)

/** The affiliates with the largest changes, up or down. Reads their rows in one query. @throws INVALID_INPUT */
export async function largestChanges(
  { db, program }: ProgramCtx,
  { affiliates, currency }: ComparedEarnings,
  limit: number,
): Promise<AffiliateChange[]> {
  if (limit < 1 || limit > 100) throw invalid([problem('limit', 'must be from 1 to 100')])
  const largest = [...affiliates]
    .filter(([, change]) => sizeOf(change) > 0n)
    .sort(([a, x], [b, y]) => (sizeOf(y) === sizeOf(x) ? (a < b ? -1 : 1) : sizeOf(y) > sizeOf(x) ? 1 : -1))
    .slice(0, limit)
  const rows = await db.affiliate.findMany({ where: { programId: program.id, id: { in: largest.map(([id]) => id) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return largest.flatMap(([id, change]) => {
    const affiliate = byId.get(id)
    return affiliate ? [{ affiliate, currency, ...change }] : []
  })
}
