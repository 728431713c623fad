import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb, SqlTransaction } from '../../kernel/db.ts'
import { isTransient, isUniqueViolation } from './errors.ts'
import { limits } from './timeouts.ts'

export type TransactionOptions = { log?: Logger }

/** `isLong` is for a transaction of many short statements, which lets other requests run between them. */
type PrismaTransactionOptions = TransactionOptions & { isLong?: boolean }

const maxAttempts = 4
/** No retry after this time: the HTTP response would be too late. */
const giveUpAfterMs = 8_000

/**
 * Runs `run` in one transaction (read committed). If it loses a race, it is retried up to three times, so it must have
 * no effects outside the database. Use only the passed client inside: on the embedded database, a query of the outer
 * client waits until the transaction has ended.
 */
export async function withTransaction<T>(
  db: AppDb,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
  { isLong = false, ...options }: PrismaTransactionOptions = {},
): Promise<T> {
  return await withRetries(() => db.$transaction(run, isLong ? { timeout: limits.longTransactionMs } : {}), options)
}

/** As `withTransaction`, but with prepared statements instead of Prisma's client. */
export async function withSqlTransaction<T>(
  db: AppDb,
  run: (tx: SqlTransaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return await withRetries(() => db.sql.transaction(run), options)
}

async function withRetries<T>(attemptOnce: () => Promise<T>, { log }: TransactionOptions = {}): Promise<T> {
  const startedAt = Date.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce()
    } catch (error) {
      const isLast = attempt === maxAttempts || Date.now() - startedAt > giveUpAfterMs
      if (isLast || !isTransient(error)) throw error
      log?.debug({ attempt }, 'transaction lost a race, retrying')
      await pause(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/** Reads, then writes a unique value. If a concurrent request wrote the same value first, it reads and writes again. */
export async function writeUnique<T, R>(read: () => Promise<T>, write: (state: T) => Promise<R>): Promise<R> {
  try {
    return await write(await read())
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return write(await read())
  }
}
