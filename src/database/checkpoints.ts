import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { describeCause } from './operator-error.ts'

export type CheckpointOptions = {
  log: Logger
  /** Grows with every write that reached the disk; while it stands still there is nothing to do. */
  countSyncs: () => number
  lookEveryMs?: number
  atLeastEveryMs?: number
  maxLogBytes?: number
}

/**
 * PostgreSQL leaves checkpoints to a process that PGlite does not have: without them its log grows without bound, and
 * with it the time a start takes after a crash. Answers a function that ends the schedule.
 */
export function scheduleCheckpoints(pglite: PGlite, options: CheckpointOptions): () => void {
  const { log, countSyncs, lookEveryMs = 5_000, atLeastEveryMs = 60_000, maxLogBytes = 16 * 1024 * 1024 } = options
  let last = { syncs: countSyncs(), at: Date.now(), position: 0n }
  let isBusy = false
  const look = async () => {
    if (isBusy || countSyncs() === last.syncs) return
    isBusy = true
    try {
      const position = await readLogPosition(pglite)
      const isDue = Date.now() - last.at >= atLeastEveryMs || position - last.position >= maxLogBytes
      if (!isDue) return
      await pglite.exec('CHECKPOINT')
      last = { syncs: countSyncs(), at: Date.now(), position: await readLogPosition(pglite) }
    } catch (error) {
      log.warn({ cause: describeCause(error) }, 'the database could not write a checkpoint')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** How much was ever written to the log, in bytes. */
export async function readLogPosition(pglite: PGlite): Promise<bigint> {
  const { rows } = await pglite.query<{ position: string }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text AS position`,
  )
  return BigInt(rows[0]?.position ?? 0)
}
