import type { ProgramCtx } from '../../kernel/context.ts'
import { reasonSql } from '../sales/unattributed/reason.ts'
import type { Analytics } from './service.ts'

export type UnattributedReason = { reason: string; sales: number; cents: bigint; toDecide: number; currency: string }

/** Why sales in the currency that occurred in the range have no affiliate, the most frequent reason first. */
export async function readUnattributed(
  { db }: ProgramCtx,
  { query, from, to }: Analytics,
): Promise<UnattributedReason[]> {
  const rows = await db.$queryRaw<{ reason: string; sales: number; cents: string; toDecide: number }[]>`
    select ${reasonSql('kept')} as reason, count(*)::int as sales, sum(amount_cents)::text as cents,
      (count(*) filter (where needs_attention and dismissed_at is null))::int as "toDecide"
    from unattributed_sales kept
    where program_id = ${query.programId}::uuid and currency = ${query.currency}
      and occurred_at >= ${new Date(from)}::timestamptz and occurred_at < ${new Date(to)}::timestamptz
    group by 1 order by 2 desc, 1`
  return rows.map(({ cents, ...row }) => ({ ...row, cents: BigInt(cents), currency: query.currency }))
}
