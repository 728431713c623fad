import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { statement } from '../../database/client/sql.ts'
import type { AppDb } from '../../kernel/db.ts'
import { createWorkLoop } from '../../kernel/work-loop.ts'
import { findPayoutRun } from '../payouts/runs/find.ts'
import { clockOf } from '../programs/clock.ts'
import { withLease } from './runs/lease.ts'
import { askForRun } from './runs/refresh.ts'
import { openServiceOf, sendBatches } from './runs/send.ts'
import type { ServiceSettings } from './settings.ts'

const pollEveryMs = 5_000
/** How long a run rests after it could not go on. */
const restMs = 5 * 60_000

export type PayoutServiceWorker = {
  start(): void
  /** Goes on with all runs that are due. */
  runOnce(): Promise<void>
  stop(): Promise<void>
}

/**
 * A run that is due, and rests meanwhile. One that another instance has taken is left out. It is chosen in a CTE,
 * because PostgreSQL can run a subquery of IN again for each row, and would take another run each time.
 */
const claim = statement<{ programId: string; id: string }>(`
  with due as (
    select run.program_id, run.id from payout_runs run
    where run.next_step_at <= $1::timestamptz and (run.lease is null or run.lease_ends_at <= $1::timestamptz)
      and not exists (select from programs p where p.id = run.program_id and (p.closed_at is not null or p.deleted_at is not null))
    order by run.next_step_at limit 1 for update of run skip locked)
  update payout_runs run set next_step_at = $2::timestamptz
  from due where run.program_id = due.program_id and run.id = due.id
  returning run.program_id::text as "programId", run.id::text`)

/** Goes on with runs that are handed over: sends the rest, and asks what became of the payments. */
export function createPayoutServiceWorker(db: AppDb, log: Logger, settings: ServiceSettings): PayoutServiceWorker {
  const { now } = settings
  const goOn = async (programId: string, id: string) => {
    const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
    const actor = { kind: 'system' } as const
    const own = { db: db.ofProgram(programId), now: clockOf(program, now), log, actor, program }
    const ctx = { ...own, requestId: randomUUID() }
    const run = await findPayoutRun(ctx, id)
    const opened = await openServiceOf(ctx, settings, run)
    await withLease(ctx, settings, id, async (lease) => {
      await askForRun(ctx, settings, opened, id, lease)
      const isOpen = run.state === 'prepared' || run.state === 'approved'
      if (isOpen && !opened.row.pausedAt) await sendBatches(ctx, settings, opened, id, lease)
    })
  }
  const step = async () => {
    const at = now()
    const [claimed] = await db.sql.query(claim, [at, new Date(at.getTime() + restMs)])
    if (!claimed) return false
    await goOn(claimed.programId, claimed.id).catch((err: unknown) =>
      log.warn({ err, programId: claimed.programId, runId: claimed.id }, 'payout run could not go on'),
    )
    return true
  }
  const loop = createWorkLoop({
    step,
    restMs: pollEveryMs,
    onFailure: (err) => log.warn({ err }, 'payout service worker failed, retrying'),
  })
  return {
    start: loop.start,
    stop: loop.stop,
    async runOnce() {
      while (await step());
    },
  }
}
