import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { readLogPosition } from './checkpoints.ts'
import { describeCause } from './operator-error.ts'

export type StatisticsOptions = {
  log: Logger
  /** Grows with every write that reached the disk. */
  countSyncs: () => number
  lookEveryMs?: number
  atLeastEveryMs?: number
  maxLogBytes?: number
}

/**
 * PostgreSQL counts what is in its tables by a process that PGlite does not have: without that its planner takes them for
 * empty, and reads all rows of a list, with all that belongs to each, to answer a page. They are counted soon after the
 * start, then after much was written, or after some time. Answers a function that ends the schedule.
 */
export function scheduleStatistics(pglite: PGlite, options: StatisticsOptions): () => void {
  const { log, countSyncs, lookEveryMs = 10_000, atLeastEveryMs = 600_000, maxLogBytes = 4 * 1024 * 1024 } = options
  let last = { syncs: -1, at: 0, position: 0n }
  let isBusy = false
  const look = async () => {
    if (isBusy || countSyncs() === last.syncs) return
    isBusy = true
    try {
      const position = await readLogPosition(pglite)
      const isDue = Date.now() - last.at >= atLeastEveryMs || position - last.position >= maxLogBytes
      if (!isDue) return
      await pglite.exec('ANALYZE')
      last = { syncs: countSyncs(), at: Date.now(), position: await readLogPosition(pglite) }
    } catch (error) {
      log.warn({ cause: describeCause(error) }, 'the database could not count what its tables hold')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
