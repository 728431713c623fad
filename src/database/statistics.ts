import type { PGlite } from '@electric-sql/pglite'
import { scheduleUpkeep, type UpkeepOptions } from './upkeep.ts'

/**
 * Without statistics, PostgreSQL's planner assumes that tables are empty, and reads a whole table for one page of a list.
 * The statistics are updated soon after the start, then after many writes or after some time. Returns a function that
 * ends the schedule.
 */
export const scheduleStatistics = (pglite: PGlite, options: UpkeepOptions): (() => void) =>
  scheduleUpkeep(
    pglite,
    {
      sql: 'ANALYZE',
      failureMessage: 'could not update statistics',
      checkEveryMs: 10_000,
      maxIntervalMs: 600_000,
      maxLogBytes: 4 * 1024 * 1024,
      isDueAtStart: true,
      ...options,
    },
    options,
  )
