import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import { openItemOf } from './open-runs.ts'

type InPayout = Pick<Commission, 'programId' | 'payoutId' | 'paidAt'>

/**
 * Those of the commissions whose payment was sent, or is in a file that somebody fetched, but is not known to have
 * arrived. They are fixed: a refund of one is a debt. The caller holds the locks of their affiliates.
 */
export async function sentOf<C extends InPayout>(
  tx: Prisma.TransactionClient,
  commissions: readonly C[],
): Promise<C[]> {
  const [first] = commissions
  const ids = commissions.flatMap(({ payoutId, paidAt }) => (payoutId !== null && paidAt === null ? payoutId : []))
  if (!first || ids.length === 0) return []
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select p.id::text from payouts p
    where p.program_id = ${first.programId}::uuid and p.id = any(${[...new Set(ids)]}::uuid[]) and p.paid_at is null
      and (p.sent_at is not null or exists (
        select from payout_run_items item join payout_runs run on run.program_id = item.program_id and run.id = item.run_id
        where ${openItemOf('p')} and run.fetched_at is not null))`
  const sent = new Set(rows.map(({ id }) => id))
  return commissions.filter(({ payoutId, paidAt }) => paidAt === null && payoutId !== null && sent.has(payoutId))
}

export const sentRefusal =
  'The commission is in a payout whose payment was sent, or whose file was fetched. Wait for its result, or cancel the run.'
