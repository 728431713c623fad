import type { ProgramCtx } from '../../kernel/context.ts'
import { payable } from './due.ts'

/** When the next commission of each affiliate becomes due in a currency, in order; null if none does. */
export async function readNextDue(
  { db, program, now }: ProgramCtx,
  affiliateIds: readonly string[],
  currency: string,
): Promise<(Date | null)[]> {
  const rows = await db.$queryRaw<{ affiliateId: string; dueAt: Date }[]>`
    select affiliate_id::text as "affiliateId", min(due_at) as "dueAt" from commissions
    where program_id = ${program.id}::uuid and affiliate_id = any(${[...affiliateIds]}::uuid[]) and currency = ${currency}
      and payout_id is null and ${payable} and due_at > ${now()}::timestamptz
    group by affiliate_id`
  const dates = new Map(rows.map(({ affiliateId, dueAt }) => [affiliateId, dueAt]))
  return affiliateIds.map((id) => dates.get(id) ?? null)
}
