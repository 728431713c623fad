import type { Affiliate } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import type { SimulatedCurrency } from './service.ts'

/** What an affiliate earned, and would have. */
export type Change = { affiliate: Affiliate; currency: string; actualCents: bigint; simulatedCents: bigint }

const size = ({ actualCents: a, simulatedCents: b }: Pick<Change, 'actualCents' | 'simulatedCents'>) =>
  a < b ? b - a : a - b

/** For whom the most would have changed, with their rows in one look-up. @throws INVALID_INPUT */
export async function largestChanges(
  { db, program }: ProgramCtx,
  { affiliates, currency }: SimulatedCurrency,
  limit: number,
): Promise<Change[]> {
  if (limit < 1 || limit > 100) throw invalid([problem('limit', 'must be from 1 to 100')])
  const largest = [...affiliates]
    .filter(([, change]) => size(change) > 0n)
    .sort(([a, x], [b, y]) => (size(y) === size(x) ? (a < b ? -1 : 1) : size(y) > size(x) ? 1 : -1))
    .slice(0, limit)
  const rows = await db.affiliate.findMany({ where: { programId: program.id, id: { in: largest.map(([id]) => id) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return largest.flatMap(([id, change]) => {
    const affiliate = byId.get(id)
    return affiliate ? [{ affiliate, currency, ...change }] : []
  })
}
