import type { PGlite } from '@electric-sql/pglite'
import { scheduleUpkeep, type UpkeepOptions } from './upkeep.ts'

/**
 * Without checkpoints the log of PostgreSQL grows without bound, and with it the time a start takes after a crash.
 * Answers a function that ends the schedule.
 */
export const scheduleCheckpoints = (pglite: PGlite, options: UpkeepOptions): (() => void) =>
  scheduleUpkeep(
    pglite,
    {
      sql: 'CHECKPOINT',
      complaint: 'the database could not write a checkpoint',
      lookEveryMs: 5_000,
      atLeastEveryMs: 60_000,
      maxLogBytes: 16 * 1024 * 1024,
      atStart: false,
      ...options,
    },
    options,
  )
