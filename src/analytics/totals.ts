import type { ProgramCtx } from '../context.ts'
import { sumsOf } from './facts.ts'
import { type Kind, kinds } from './metrics.ts'
import type { Analytics } from './service.ts'

/** How many facts of each kind, and what they come to in the currency's minor units. */
export type Totals = Record<Kind, { count: bigint; amount: bigint }>

/** All in one statement. */
export async function readTotals({ db }: ProgramCtx, { question, from, to }: Analytics): Promise<Totals> {
  const rows = await db.$queryRaw<{ kind: Kind; count: string; amount: string }[]>`
    select kind::text, sum(count)::text as count, sum(amount)::text as amount
    from (${sumsOf(question, kinds, [{ from, to }])}) sums group by kind`
  const found = new Map(rows.map(({ kind, count, amount }) => [kind, { count: BigInt(count), amount: BigInt(amount) }]))
  const nothing = { count: 0n, amount: 0n }
  return Object.fromEntries(kinds.map((kind) => [kind, found.get(kind) ?? nothing])) as Totals
}
