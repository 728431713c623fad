import type { PGlite } from '@electric-sql/pglite'
import { scheduleUpkeep, type UpkeepOptions } from './upkeep.ts'

/** Without checkpoints, the log grows without bound, and recovery takes longer. Returns a function that stops it. */
export const scheduleCheckpoints = (pglite: PGlite, options: UpkeepOptions): (() => void) =>
  scheduleUpkeep(
    pglite,
    {
      run: () => pglite.exec('CHECKPOINT'),
      failureMessage: 'could not write checkpoint',
      checkEveryMs: 1_000,
      maxIntervalMs: 60_000,
      maxLogBytes: 12 * 1024 * 1024,
      isDueAtStart: false,
      ...options,
    },
    options,
  )
