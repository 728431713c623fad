import type { Logger } from 'pino'
import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { withTransaction } from '../client/transaction.ts'

/**
 * Runs a task repeatedly, never twice at the same time. Failures are logged.
 * @param run may end early when `isStopped` returns true
 * @returns a function that stops it, and returns after the last run: a database must not be closed under a transaction
 */
export function repeatInBackground(
  run: (isStopped: () => boolean) => Promise<unknown>,
  { everyMs, log, failureMessage }: { everyMs: number; log: Logger; failureMessage: string },
): () => Promise<void> {
  let running: Promise<void> | undefined
  let isStopped = false
  const runOnce = async () => {
    try {
      await run(() => isStopped)
    } catch (err) {
      log.warn({ err }, failureMessage)
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= runOnce()
  }, everyMs).unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await running
  }
}

/** Deltas that writes leave behind, and how they are folded into the numbers that are kept. */
export type Deltas = {
  table: string
  /** With fewer of them, nothing is folded in the background. */
  min: number
  /** Fewer are folded too when nothing was for this long. Without it, they wait. */
  maxAgeMs?: number
  batchSize: number
  /** The key of the advisory lock that a fold holds. Any number that is not used for another lock. */
  lock: number
  /** Folds up to `size` deltas, and returns how many. It holds the lock, so no other fold runs. */
  foldBatch: (tx: Prisma.TransactionClient, size: number) => Promise<number>
  failureMessage: string
}

/**
 * Folds deltas when there are enough of them, so that reads stay fast. Results do not depend on it.
 * @returns a function that stops it
 */
export function foldInBackground(db: AppDb, log: Logger, deltas: Deltas, everyMs = 10_000): () => Promise<void> {
  let foldedAt = Date.now()
  return repeatInBackground(
    async (isStopped) => {
      const isOld = deltas.maxAgeMs !== undefined && Date.now() - foldedAt >= deltas.maxAgeMs
      if (!(await hasEnough(db, isOld ? { ...deltas, min: 1 } : deltas))) return
      await foldAll(db, deltas, log, isStopped)
      foldedAt = Date.now()
    },
    { everyMs, log, failureMessage: deltas.failureMessage },
  )
}

async function hasEnough(db: AppDb, { table, min }: Deltas): Promise<boolean> {
  const [found] = await db.$queryRaw<[{ count: number }]>`
    select count(*)::int from (select from ${Prisma.raw(table)} limit ${min}) pending_deltas`
  return found.count === min
}

/** Folds all deltas in batches, each in one transaction. Stops early if another process is folding. */
export async function foldAll(
  db: AppDb,
  { batchSize, lock, foldBatch }: Deltas,
  log?: Logger,
  isStopped = () => false,
): Promise<void> {
  const foldLocked = async (tx: Prisma.TransactionClient) => {
    const [{ acquired }] = await tx.$queryRaw<
      [{ acquired: boolean }]
    >`select pg_try_advisory_xact_lock(${lock}::bigint) as acquired`
    return acquired ? await foldBatch(tx, batchSize) : 0
  }
  while ((await withTransaction(db, foldLocked, log ? { log } : {})) === batchSize && !isStopped());
}
