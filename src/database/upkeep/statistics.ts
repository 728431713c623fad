import { setTimeout as pause } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { scheduleUpkeep, type UpkeepOptions } from './schedule.ts'

/** Statistics use 300 times as many rows. With the default of 100, a table blocks the process up to 1 s. */
export const statisticsParams = ['-c', 'default_statistics_target=10']

/** Requests that wait have their turn between two tables. */
const pauseMs = 20

/**
 * Without statistics, the planner assumes empty tables, and reads a whole table for one page. They are updated soon
 * after the start, then after many writes or some time. Returns a function that stops it.
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

const tables = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')`

async function analyze(pglite: PGlite, isEnded: () => boolean): Promise<void> {
  const { rows } = await pglite.query<{ name: string }>(tables)
  for (const { name } of rows) {
    if (isEnded()) return
    await pglite.exec(`ANALYZE ${name}`)
    await pause(pauseMs)
  }
}
