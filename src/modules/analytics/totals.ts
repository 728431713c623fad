import type { ProgramCtx } from '../../kernel/context.ts'
import { sumsOf } from './facts.ts'
import { type Kind, kinds } from './metrics.ts'
import type { Analytics } from './service.ts'

/** How many facts of each kind, and what they come to in the currency's minor units. */
export type Totals = Record<Kind, { count: bigint; amount: bigint }>

/** All in one statement. */
export const readTotals = async (ctx: ProgramCtx, analytics: Analytics): Promise<Totals> =>
  (await readTotalsBy(ctx, analytics))(null)

/** The same for each key of the question's dimension; where it has none there is one key, null. */
export async function readTotalsBy(
  { db }: ProgramCtx,
  { question, from, to }: Analytics,
): Promise<(key: string | null) => Totals> {
  const rows = await db.$queryRaw<{ key: string | null; kind: Kind; count: string; amount: string }[]>`
    select key, kind::text, sum(count)::text as count, sum(amount)::text as amount
    from (${sumsOf(question, kinds, [{ from, to }])}) sums group by key, kind`
  const nothing = { count: 0n, amount: 0n }
  return (key) => {
    const own = rows.filter((row) => row.key === key)
    const found = new Map(
      own.map(({ kind, count, amount }) => [kind, { count: BigInt(count), amount: BigInt(amount) }]),
    )
    return Object.fromEntries(kinds.map((kind) => [kind, found.get(kind) ?? nothing])) as Totals
  }
}
