import type { AppDb } from '../../kernel/db.ts'

/**
 * Runs a read: with a replica in `context.db` that has replayed every commit from before the read, else on the primary.
 * So an answer is never older than a write that was acknowledged before the request. If the replica fails, the read
 * runs again on the primary.
 * @param run only reads, and can run twice
 * @param isGood whether a result can be used; if not, the read runs again on the primary
 */
export type ReadFrom = <C extends { db: AppDb }, T>(
  context: C,
  run: (context: C) => Promise<T>,
  isGood?: (result: T) => boolean,
) => Promise<T>

/** Without replicas, all reads are on the primary. */
export const fromPrimary: ReadFrom = (context, run) => run(context)
