import type { PGlite } from '@electric-sql/pglite'
import { runAlone } from '../seams/pglite.ts'
import { scheduleUpkeep, type UpkeepOptions } from '../upkeep/schedule.ts'
import { createEmbeddedStatements } from './statements.ts'

/**
 * Without checkpoints, the log grows without bound, and recovery takes longer. Returns a function that stops it.
 *
 * @param options.onWritten called when a checkpoint is on disk, before anything else is written
 */
export const scheduleCheckpoints = (
  pglite: PGlite,
  { onWritten, ...options }: UpkeepOptions & { onWritten?: () => void },
): (() => void) =>
  scheduleUpkeep(
    pglite,
    {
      run: () =>
        // Nothing runs between the checkpoint and what follows it.
        runAlone(pglite, async () => {
          await createEmbeddedStatements(pglite).command('CHECKPOINT')
          onWritten?.()
        }),
      failureMessage: 'could not write checkpoint',
      checkEveryMs: 1_000,
      maxIntervalMs: 60_000,
      maxLogBytes: 12 * 1024 * 1024,
      isDueAtStart: false,
      ...options,
    },
    options,
  )
