import type { Affiliate } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import type { SimulatedCurrency } from './service.ts'

export type AffiliateChange = { affiliate: Affiliate; currency: string; actualCents: bigint; simulatedCents: bigint }

const sizeOf = ({ actualCents: a, simulatedCents: b }: Pick<AffiliateChange, 'actualCents' | 'simulatedCents'>) =>
  a < b ? b - a : a - b

/** The affiliates with the largest changes, up or down. Reads their rows in one query. @throws INVALID_INPUT */
export async function largestChanges(
  { db, program }: ProgramCtx,
  { affiliates, currency }: SimulatedCurrency,
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
