import type { Logger } from 'pino'
import { repeatInBackground } from '../../database/upkeep/background.ts'
import { deleteInBatches } from '../../database/upkeep/delete-in-batches.ts'
import type { AppDb } from '../../kernel/db.ts'
import { keptMs } from './answer-once.ts'

const sweepEveryMs = 600_000

/** Deletes the keys that are kept no longer, in batches. */
export async function deleteOldKeys(db: AppDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await deleteInBatches(
    (limit) => db.$executeRaw`
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at <= ${before}::timestamptz limit ${limit}))`,
  )
}

/** Deletes old keys in the background. Every instance may do it. @returns a function that stops it */
export const deleteOldKeysInBackground = (db: AppDb, now: () => Date, log: Logger): (() => Promise<void>) =>
  repeatInBackground(() => deleteOldKeys(db, now()), {
    everyMs: sweepEveryMs,
    log,
    failureMessage: 'could not delete old idempotency keys',
  })
