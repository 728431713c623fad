import type { PrismaClient } from '../generated/prisma/client.ts'

/**
 * Runs a read: with a replica in the place of `context.db` if one has replayed everything that was committed before the
 * read began, else on the primary. So an answer is never older than a write that was acknowledged before the request, whoever wrote
 * it and through whichever instance. If the replica fails meanwhile, the read runs again on the primary.
 * @param run only reads, and can run twice
 * @param isGood whether a result can be used; if not, the read runs again on the primary
 */
export type ReadFrom = <C extends { db: PrismaClient }, T>(
  context: C,
  run: (context: C) => Promise<T>,
  isGood?: (result: T) => boolean,
) => Promise<T>

/** Without replicas, all reads are on the primary. */
export const fromPrimary: ReadFrom = (context, run) => run(context)
