import type { Payout, PayoutRun, PayoutRunItem } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { SkipReason } from '../skip.ts'

type Run = Pick<PayoutRun, 'programId' | 'id'>

const mostSkips = 1_000
const mostChanged = 100

export async function readSkips(
  { db }: Pick<ProgramCtx, 'db'>,
  { programId, id }: Run,
): Promise<{ payout: Payout; reason: SkipReason }[]> {
  const skips = await db.payoutRunSkip.findMany({
    where: { programId, runId: id },
    orderBy: { payoutId: 'asc' },
    take: mostSkips,
  })
  const payouts = await db.payout.findMany({
    where: { programId, id: { in: skips.map(({ payoutId }) => payoutId) } },
  })
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  return skips.flatMap(({ payoutId, reason }) => {
    const payout = byId.get(payoutId)
    return payout ? [{ payout, reason: reason as SkipReason }] : []
  })
}

export type StateTotal = { state: PayoutItemState; payouts: number; amountCents: bigint }

export async function readStateTotals({ db }: Pick<ProgramCtx, 'db'>, { programId, id }: Run): Promise<StateTotal[]> {
  const groups = await db.payoutRunItem.groupBy({
    by: ['state'],
    where: { programId, runId: id },
    _count: true,
    _sum: { amountCents: true },
    orderBy: { state: 'asc' },
  })
  return groups.map(({ state, _count, _sum }) => ({ state, payouts: _count, amountCents: _sum.amountCents ?? 0n }))
}

/** Open payments whose payout has changed since the run was made. */
export async function readChanged({ db }: Pick<ProgramCtx, 'db'>, { programId, id }: Run): Promise<PayoutRunItem[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select item.id::text from payout_run_items item left join payouts p
      on p.program_id = item.program_id and p.id = item.payout_id and p.paid_at is null and p.failed_at is null
    where item.program_id = ${programId}::uuid and item.run_id = ${id}::uuid and item.state in ('prepared', 'sent')
      and p.amount_cents is distinct from item.amount_cents
    order by item.id limit ${mostChanged}`
  const ids = rows.map((row) => row.id)
  return db.payoutRunItem.findMany({ where: { programId, id: { in: ids } }, orderBy: { id: 'asc' } })
}
