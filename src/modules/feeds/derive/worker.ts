import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { statement } from '../../../database/client/sql.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { createWorkLoop } from '../../../kernel/work-loop.ts'
import { clockOf } from '../../programs/clock.ts'
import { deriveDue } from './derive.ts'

/** How long an instance may take for a batch. Then any other takes the feed over. */
const leaseMs = 60_000
/** How long a feed rests after a failure. */
const restMs = 10_000
const pollEveryMs = 1_000
/** Batches at a time. */
const mostBatches = 6
/** Batches of one program at a time, on all instances: one with many feeds leaves room for others. */
const mostOfProgram = 2

export type FeedWorker = {
  start(): void
  /** Derives from all events that are due. */
  runOnce(): Promise<void>
  /** Called when an event was stored. */
  wake(): void
  stop(): Promise<void>
}

/**
 * A feed with due events that nobody holds, the one whose turn was longest ago. It is leased to this instance. It is
 * chosen in a CTE, because PostgreSQL can run a subquery of IN again for each row, and would lease another feed each
 * time.
 */
const claim = statement<{ programId: string; id: string }>(`
  with due as (
    select f.program_id, f.id from feeds f
    where f.paused_at is null and (f.lease_ends_at is null or f.lease_ends_at <= $3::timestamptz)
      and exists (select from feed_events e where e.program_id = f.program_id and e.feed_id = f.id
        and e.derive_at is not null and e.derive_at <= $3::timestamptz)
      and not exists (select from programs p where p.id = f.program_id and p.closed_at is not null)
      and (select count(*) from feeds g where g.program_id = f.program_id and g.lease is not null
        and g.lease_ends_at > $3::timestamptz) < ${mostOfProgram}
    order by f.lease_ends_at nulls first limit 1 for update of f skip locked)
  update feeds f set lease = $1::uuid, lease_ends_at = $2::timestamptz
  from due where f.program_id = due.program_id and f.id = due.id
  returning f.program_id::text as "programId", f.id::text`)

/** The end of a lease without one is the time of the last turn, or of the next one after a failure. */
const end = statement(`
  update feeds set lease = null, lease_ends_at = $4::timestamptz
  where program_id = $1::uuid and id = $2::uuid and lease = $3::uuid`)

/**
 * Derives sales, refunds and leads from stored events. Any number of instances share the work: one instance at a time
 * holds a feed. @param now the true time
 */
export function createFeedWorker(db: AppDb, log: Logger, now: () => Date): FeedWorker {
  const running = new Set<Promise<void>>()
  /** One batch. The program, its clock and the settings of the feed are read for each: they may have changed. */
  const deriveBatch = async (programId: string, id: string, lease: string) => {
    const free = (at: Date) => db.sql.query(end, [programId, id, lease, at])
    try {
      const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
      const feed = await db.feed.findUnique({ where: { programId_id: { programId, id } } })
      if (feed?.lease !== lease) return
      const actor = { kind: 'system' } as const
      const own = { db: db.ofProgram(programId), now: clockOf(program, now), log, actor, program }
      await deriveDue({ ...own, requestId: randomUUID() }, feed, now())
      await free(now())
    } catch (err) {
      log.warn({ err, programId, feedId: id }, 'could not derive from a feed, retrying')
      await free(new Date(now().getTime() + restMs))
    }
  }
  const step = async () => {
    if (running.size >= mostBatches) await Promise.race(running)
    const at = now()
    const lease = randomUUID()
    const [claimed] = await db.sql.query(claim, [lease, new Date(at.getTime() + leaseMs), at])
    if (!claimed) return false
    const batch = deriveBatch(claimed.programId, claimed.id, lease)
      .catch((err: unknown) => log.warn({ err }, 'could not end the turn of a feed'))
      .finally(() => {
        running.delete(batch)
        loop.wake()
      })
    running.add(batch)
    return true
  }
  const loop = createWorkLoop({
    step,
    restMs: pollEveryMs,
    onFailure: (err) => log.warn({ err }, 'feed worker failed, retrying'),
  })
  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await Promise.all(running)
    },
    async runOnce() {
      while ((await step()) || running.size > 0) if (running.size > 0) await Promise.race(running)
    },
  }
}
