import pLimit, { type LimitFunction } from 'p-limit'
import type { AppDb } from './db.ts'
import { type Client, endIfGone, giveWay } from './slices.ts'

const programs = new WeakMap<AppDb, Map<string, LimitFunction>>()

/**
 * Runs a write of many rows when it is its turn: one at a time for a program, so that those of another program wait
 * for one transaction and not for all that this program has sent. Part of a transaction, it has its turn already.
 * @throws BAD_REQUEST if the client has gone meanwhile; DeadlineExceeded
 */
export async function inBatchTurn<T>(
  { db, program, signal }: Client & { db: AppDb; program: { id: string } },
  run: () => Promise<T>,
): Promise<T> {
  if (db.isWithin) return run()
  const limits = programs.get(db.base) ?? new Map<string, LimitFunction>()
  programs.set(db.base, limits)
  const limit = limits.get(program.id) ?? pLimit(1)
  limits.set(program.id, limit)
  try {
    return await limit(async () => {
      endIfGone(signal)
      await giveWay({ signal })
      return run()
    })
  } finally {
    if (limit.activeCount + limit.pendingCount === 0) limits.delete(program.id)
  }
}
