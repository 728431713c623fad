import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'

/** A task of PostgreSQL's background processes, which PGlite lacks. */
export type Upkeep = {
  /** `isEnded` says that the database is being closed. */
  run: (pglite: PGlite, isEnded: () => boolean) => Promise<unknown>
  failureMessage: string
  checkEveryMs: number
  /** The task runs again after this time, unless nothing was written since. */
  maxIntervalMs: number
  maxLogBytes: number
  /** The task is due at the first check, even if nothing was written. */
  isDueAtStart: boolean
}

export type UpkeepOptions = Partial<Pick<Upkeep, 'checkEveryMs' | 'maxIntervalMs' | 'maxLogBytes'>> & {
  log: Logger
  /** Counts writes that reached the disk; while it does not change, the task is not due. */
  countSyncs: () => number
}

/** Runs the task whenever it is due. Returns a function that ends the schedule. */
export function scheduleUpkeep(pglite: PGlite, upkeep: Upkeep, { log, countSyncs }: UpkeepOptions): () => void {
  const { run, failureMessage, checkEveryMs, maxIntervalMs, maxLogBytes, isDueAtStart } = upkeep
  let last = { syncs: isDueAtStart ? -1 : countSyncs(), at: isDueAtStart ? 0 : Date.now(), position: 0n }
  let isBusy = false
  let isEnded = false
  const check = async () => {
    if (isBusy || countSyncs() === last.syncs) return
    isBusy = true
    try {
      const position = await readLogPosition(pglite)
      const isDue = Date.now() - last.at >= maxIntervalMs || position - last.position >= maxLogBytes
      if (!isDue) return
      await run(pglite, () => isEnded)
      last = { syncs: countSyncs(), at: Date.now(), position: await readLogPosition(pglite) }
    } catch (error) {
      if (!isEnded) log.warn({ err: error }, failureMessage)
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void check(), checkEveryMs)
  timer.unref()
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}

/** The position in the write-ahead log, in bytes since the database was created. */
async function readLogPosition(pglite: PGlite): Promise<bigint> {
  const { rows } = await pglite.query<{ position: string }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text AS position`,
  )
  return BigInt(rows[0]?.position ?? 0)
}
