import type { ProgramCtx } from '../../kernel/context.ts'
import { commissions } from '../../resources/commissions.ts'

/** An affiliate's commissions and revenue in one currency, in minor units. */
export type CurrencyStats = {
  unpaid: bigint
  due: bigint
  paid: bigint
  /** Unpaid and paid commissions. None of the sums includes void commissions. */
  total: bigint
  grossRevenue: bigint
  netRevenue: bigint
}

/** The sums by currency. The program's own currency is always included. */
export type CommissionStats = { currencies: Map<string, CurrencyStats> }

const nothing: CurrencyStats = { unpaid: 0n, due: 0n, paid: 0n, total: 0n, grossRevenue: 0n, netRevenue: 0n }

type Row = { id: string; currency: string } & Record<'unpaid' | 'due' | 'paid' | 'gross' | 'refunded', string>

/** Reads the sums of each affiliate in one statement, in the order of the ids. Currencies are never added up. */
export async function readCommissionStats(
  { db, program, now }: ProgramCtx,
  affiliateIds: readonly string[],
): Promise<CommissionStats[]> {
  const rows = await db.$queryRaw<Row[]>`
    with sums as (
      select affiliate_id, currency,
        sum(amount_cents) filter (where paid_at is null) as unpaid,
        sum(amount_cents) filter (where ${commissions.states.sql('due', now())}) as due,
        sum(amount_cents) filter (where paid_at is not null) as paid,
        0 as gross, 0 as refunded
      from commissions
      where program_id = ${program.id}::uuid and affiliate_id = any(${[...affiliateIds]}::uuid[]) and voided_at is null
      group by affiliate_id, currency
      union all
      select affiliate_id, currency, 0, 0, 0, sum(amount_cents), sum(refunded_cents) from sales
      where program_id = ${program.id}::uuid and affiliate_id = any(${[...affiliateIds]}::uuid[])
      group by affiliate_id, currency
    )
    select affiliate_id::text as id, currency, coalesce(sum(unpaid), 0)::text as unpaid, coalesce(sum(due), 0)::text as due,
      coalesce(sum(paid), 0)::text as paid, sum(gross)::text as gross, sum(refunded)::text as refunded
    from sums group by affiliate_id, currency order by currency`
  const found = new Map<string, CommissionStats>()
  for (const { id, currency, ...sums } of rows) {
    const stats = found.get(id) ?? { currencies: new Map([[program.currency, nothing]]) }
    stats.currencies.set(currency, readRow(sums))
    found.set(id, stats)
  }
  return affiliateIds.map((id) => found.get(id) ?? { currencies: new Map([[program.currency, nothing]]) })
}

function readRow(sums: Omit<Row, 'id' | 'currency'>): CurrencyStats {
  const [unpaid, due, paid] = [BigInt(sums.unpaid), BigInt(sums.due), BigInt(sums.paid)]
  const [grossRevenue, refunded] = [BigInt(sums.gross), BigInt(sums.refunded)]
  return { unpaid, due, paid, total: unpaid + paid, grossRevenue, netRevenue: grossRevenue - refunded }
}
