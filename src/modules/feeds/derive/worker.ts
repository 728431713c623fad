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

export type FeedWorker = {
  start(): void
  /** Derives from all events that are due. */
  runOnce(): Promise<void>
  /** Called when an event was stored. */
  wake(): void
  stop(): Promise<void>
}

/** The feeds with due events that nobody holds: they are leased to this instance. */
const claim = statement<{ programId: string; id: string }>(`
  update feeds f set lease = $1::uuid, lease_ends_at = $2::timestamptz
  where (f.program_id, f.id) in (
    select f.program_id, f.id from feeds f
    where (f.lease_ends_at is null or f.lease_ends_at <= $3::timestamptz)
      and exists (select from feed_events e where e.program_id = f.program_id and e.feed_id = f.id
        and e.derive_at is not null and e.derive_at <= $3::timestamptz)
      and not exists (select from programs p where p.id = f.program_id and p.closed_at is not null)
    limit 10 for update of f skip locked)
  returning f.program_id::text as "programId", f.id::text`)

const end = statement(`
  update feeds set lease = null, lease_ends_at = null where program_id = $1::uuid and id = $2::uuid and lease = $3::uuid`)

/**
 * Derives sales, refunds and leads from stored events. Any number of instances share the work: one instance at a time
 * holds a feed. @param now the true time
 */
export function createFeedWorker(db: AppDb, log: Logger, now: () => Date): FeedWorker {
  const deriveFeed = async (programId: string, id: string, lease: string) => {
    const rest = { leaseEndsAt: new Date(now().getTime() + restMs) }
    try {
      const program = await db.program.findUniqueOrThrow({ where: { id: programId } })
      const actor = { kind: 'system' } as const
      const own = { db: db.ofProgram(programId), now: clockOf(program, now), log, actor, program }
      for (let count = 1; count > 0 && !loop.isStopping; ) {
        const feed = await db.feed.findUnique({ where: { programId_id: { programId, id } } })
        if (feed?.lease !== lease) return
        count = await deriveDue({ ...own, requestId: randomUUID() }, feed, now())
        const leaseEndsAt = new Date(now().getTime() + leaseMs)
        if (count > 0) await db.feed.updateMany({ where: { programId, id, lease }, data: { leaseEndsAt } })
      }
      await db.sql.query(end, [programId, id, lease])
    } catch (error) {
      await db.feed.updateMany({ where: { programId, id, lease }, data: rest })
      throw error
    }
  }
  const step = async () => {
    const at = now()
    const lease = randomUUID()
    const claimed = await db.sql.query(claim, [lease, new Date(at.getTime() + leaseMs), at])
    await Promise.all(
      claimed.map(({ programId, id }) =>
        deriveFeed(programId, id, lease).catch((err: unknown) =>
          log.warn({ err, programId, feedId: id }, 'could not derive from a feed, retrying'),
        ),
      ),
    )
    return claimed.length > 0
  }
  const loop = createWorkLoop({
    step,
    restMs: pollEveryMs,
    onFailure: (err) => log.warn({ err }, 'feed worker failed, retrying'),
  })
  return {
    start: loop.start,
    wake: loop.wake,
    stop: loop.stop,
    async runOnce() {
      while (await step());
    },
  }
}
