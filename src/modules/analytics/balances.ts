import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { sumsOf } from './facts.ts'

const kinds = ['sale', 'accrued', 'due', 'paid'] as const

/** An affiliate's sums of all time in one currency, in minor units. */
export type Balance = { currency: string } & Record<'revenue' | 'total' | 'pending' | 'due' | 'paid', bigint>

type Row = { id: string; currency: string } & Record<(typeof kinds)[number], string>

const ever = { from: Date.UTC(1970, 0), to: Date.UTC(9_999, 0) }

/**
 * Reads the balances of affiliates, in the order of the ids, from the rollup in one statement: exactly, whatever number
 * of sales they have. The program's currency is first, and is always there.
 */
export async function readBalances(
  { db, program, now }: ProgramCtx,
  affiliateIds: readonly string[],
): Promise<Balance[][]> {
  const query = {
    programId: program.id,
    currency: null,
    where: { affiliateIds },
    dimension: 'affiliate and currency' as const,
    now: now(),
  }
  const sum = (kind: (typeof kinds)[number]) =>
    Prisma.sql`coalesce(sum(amount) filter (where kind = ${Prisma.raw(`'${kind}'`)}), 0)::text as ${Prisma.raw(kind)}`
  const rows = await db.$queryRaw<Row[]>`
    select left(key, 36) as id, substr(key, 37) as currency, ${Prisma.join(kinds.map(sum))}
    from (${sumsOf(query, kinds, [ever])}) sums group by key order by currency`
  const isMain = ({ currency }: { currency: string }) => currency === program.currency
  const nothing = { currency: program.currency, revenue: 0n, total: 0n, pending: 0n, due: 0n, paid: 0n }
  return affiliateIds.map((id) => {
    const balances = rows.filter((row) => row.id === id).map(balanceOf)
    return [balances.find(isMain) ?? nothing, ...balances.filter((balance) => !isMain(balance))]
  })
}

function balanceOf({ currency, sale, accrued, due: dueSum, paid: paidSum }: Row): Balance {
  const [revenue, total, due, paid] = [BigInt(sale), BigInt(accrued), BigInt(dueSum), BigInt(paidSum)]
  return { currency, revenue, total, due, paid, pending: total - due - paid }
}
