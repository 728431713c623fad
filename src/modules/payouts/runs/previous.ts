import type { PayoutRun } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'

/** The run before, and how many affiliates are in only one of the two. */
export type SinceLastRun = { previous: PayoutRun; joined: number; left: number }

/** What is different since the last run of the same method and currency that was not cancelled, for several runs. */
export async function readSinceLast(
  { db, program }: ProgramCtx,
  runIds: readonly string[],
): Promise<(SinceLastRun | null)[]> {
  const rows = await db.$queryRaw<{ runId: string; previousId: string; joined: number; left: number }[]>`
    select run.id::text as "runId", previous.id::text as "previousId", counts.joined, counts.left
    from payout_runs run
      cross join lateral (
        select id from payout_runs other
        where other.program_id = run.program_id and other.id < run.id and other.method = run.method
          and other.currency = run.currency and other.state <> 'cancelled'
        order by other.id desc limit 1
      ) previous
      cross join lateral (
        select (count(*) filter (where in_run and not in_previous))::int as joined,
          (count(*) filter (where in_previous and not in_run))::int as left
        from (
          select bool_or(item.run_id = run.id) as in_run, bool_or(item.run_id = previous.id) as in_previous
          from payout_run_items item
          where item.program_id = run.program_id and item.run_id in (run.id, previous.id)
          group by item.affiliate_id
        ) affiliates
      ) counts
    where run.program_id = ${program.id}::uuid and run.id = any (${[...runIds]}::uuid[])`
  const where = { programId: program.id, id: { in: rows.map(({ previousId }) => previousId) } }
  const runs = new Map((await db.payoutRun.findMany({ where })).map((run) => [run.id, run]))
  return runIds.map((id) => {
    const row = rows.find(({ runId }) => runId === id)
    const previous = row && runs.get(row.previousId)
    return row && previous ? { previous, joined: row.joined, left: row.left } : null
  })
}
