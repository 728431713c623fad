import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { describeCause } from './operator-error.ts'

/** What PostgreSQL leaves to processes of its own, which PGlite does not have. */
export type Upkeep = {
  sql: string
  /** What is logged where it fails. */
  complaint: string
  lookEveryMs: number
  /** So long after it was done last it is done again, unless nothing was written since. */
  atLeastEveryMs: number
  /** After so much was written it is done before that. */
  maxLogBytes: number
  /** It is due as soon as somebody looks, whether anything was written or not. */
  atStart: boolean
}

export type UpkeepOptions = Partial<Pick<Upkeep, 'lookEveryMs' | 'atLeastEveryMs' | 'maxLogBytes'>> & {
  log: Logger
  /** Grows with every write that reached the disk; while it stands still there is nothing to do. */
  countSyncs: () => number
}

/** Does it now and then. Answers a function that ends the schedule. */
export function scheduleUpkeep(pglite: PGlite, upkeep: Upkeep, { log, countSyncs }: UpkeepOptions): () => void {
  const { sql, complaint, lookEveryMs, atLeastEveryMs, maxLogBytes, atStart } = upkeep
  let last = { syncs: atStart ? -1 : countSyncs(), at: atStart ? 0 : Date.now(), position: 0n }
  let isBusy = false
  const look = async () => {
    if (isBusy || countSyncs() === last.syncs) return
    isBusy = true
    try {
      const position = await readLogPosition(pglite)
      const isDue = Date.now() - last.at >= atLeastEveryMs || position - last.position >= maxLogBytes
      if (!isDue) return
      await pglite.exec(sql)
      last = { syncs: countSyncs(), at: Date.now(), position: await readLogPosition(pglite) }
    } catch (error) {
      log.warn({ cause: describeCause(error) }, complaint)
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** How much was ever written to the log, in bytes. */
async function readLogPosition(pglite: PGlite): Promise<bigint> {
  const { rows } = await pglite.query<{ position: string }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text AS position`,
  )
  return BigInt(rows[0]?.position ?? 0)
}
