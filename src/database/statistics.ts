import { setTimeout as pause } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { scheduleUpkeep, type UpkeepOptions } from './upkeep.ts'

/**
 * How many rows the statistics are made of: 300 times this number, of each table. With PostgreSQL's default of 100, a table
 * blocks the process for up to a second.
 */
export const statisticsParams = ['-c', 'default_statistics_target=10']

/** Requests that wait have their turn between two tables. */
const pauseMs = 20

/**
 * Without statistics, PostgreSQL's planner assumes that tables are empty, and reads a whole table for one page of a list.
 * The statistics are updated soon after the start, then after many writes or after some time. Returns a function that
 * ends the schedule.
 */
export const scheduleStatistics = (pglite: PGlite, options: UpkeepOptions): (() => void) =>
  scheduleUpkeep(
    pglite,
    {
      run: analyze,
      failureMessage: 'could not update statistics',
      checkEveryMs: 10_000,
      maxIntervalMs: 600_000,
      maxLogBytes: 4 * 1024 * 1024,
      isDueAtStart: true,
      ...options,
    },
    options,
  )

/** JSON is left out: it costs more than all other columns, and no query compares it. */
const tablesWithColumns = `
  SELECT format('%I.%I (%s)', n.nspname, c.relname, string_agg(quote_ident(a.attname), ', ')) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid NOT IN ('json'::regtype, 'jsonb'::regtype)
  GROUP BY n.nspname, c.relname`

async function analyze(pglite: PGlite, isEnded: () => boolean): Promise<void> {
  const { rows } = await pglite.query<{ columns: string }>(tablesWithColumns)
  for (const { columns } of rows) {
    if (isEnded()) return
    await pglite.exec(`ANALYZE ${columns}`)
    await pause(pauseMs)
  }
}
