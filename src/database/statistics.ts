import type { PGlite } from '@electric-sql/pglite'
import { scheduleUpkeep, type UpkeepOptions } from './upkeep.ts'

/**
 * While nobody counts what is in the tables, PostgreSQL's planner takes them for empty, and reads all rows of a list, with
 * all that belongs to each, to answer a page. They are counted soon after the start, then after much was written, or after
 * some time. Answers a function that ends the schedule.
 */
export const scheduleStatistics = (pglite: PGlite, options: UpkeepOptions): (() => void) =>
  scheduleUpkeep(
    pglite,
    {
      sql: 'ANALYZE',
      complaint: 'the database could not count what its tables hold',
      lookEveryMs: 10_000,
      atLeastEveryMs: 600_000,
      maxLogBytes: 4 * 1024 * 1024,
      atStart: true,
      ...options,
    },
    options,
  )
