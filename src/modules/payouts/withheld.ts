import { statement } from '../../database/client/sql.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { openItemOf } from './open-runs.ts'

const withheldOfPayouts = statement<{ id: string; cents: string }>(`
  select p.id::text, case
      when p.failed_at is not null then 0
      when p.paid_at is not null then coalesce((
        select withheld_with(i.amount_cents, i.withheld_cents, i.gone_cents) from payout_run_items i
        where i.program_id = p.program_id and i.payout_id = p.id and i.gone_cents > 0 and not i.is_extra limit 1), 0)
      else coalesce(
        (select item.withheld_cents from payout_run_items item where ${openItemOf('p').sql} limit 1),
        withheld_of(greatest(p.amount_cents, 0), withholding_of(a)))
    end::text as cents
  from payouts p join affiliates a on a.program_id = p.program_id and a.id = p.affiliate_id
  where p.program_id = $1::uuid and p.id = any($2::uuid[])`)

/**
 * What is withheld of payouts, in the order of their ids: of paid ones what was, of those in an open run what its
 * payment withholds, of other open ones what would be by the present rate.
 */
export async function readWithheldOfPayouts({ db, program }: ProgramCtx, ids: readonly string[]): Promise<bigint[]> {
  const rows = await db.sql.query(withheldOfPayouts, [program.id, ids])
  const byId = new Map(rows.map(({ id, cents }) => [id, BigInt(cents)]))
  return ids.map((id) => byId.get(id) ?? 0n)
}
