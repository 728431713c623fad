import type { Affiliate } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'

/** What an affiliate earns by two sets of rules, in minor units of one currency. */
export type Change = { beforeCents: bigint; afterCents: bigint }
export type AffiliateChange = Change & { affiliate: Affiliate; currency: string }

/** What is added up for an affiliate. */
export const changeOf = (affiliates: Map<string, Change>, id: string): Change =>
  getOrInsert(affiliates, id, () => ({ beforeCents: 0n, afterCents: 0n }))

export function getOrInsert<V extends object>(map: Map<string, V>, key: string, create: () => V): V {
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
  { affiliates, currency }: { affiliates: ReadonlyMap<string, Change>; currency: string },
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
