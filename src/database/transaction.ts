import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { isTransient, isUniqueViolation } from './errors.ts'

export type TransactionOptions = { log?: Logger }

const maxAttempts = 4
/** A transaction that took this long is not run again: the HTTP answer would come too late. */
const giveUpAfterMs = 8_000

/**
 * Runs `run` in one transaction (read committed, the session's default): all its writes happen, or none. When it loses a race against another
 * transaction it is run again, up to three times, so it must do nothing but talk to its database. Inside it, use the
 * client it is given: a query of the outer one waits on the embedded database until the transaction is over.
 */
export async function withTransaction<T>(
  db: PrismaClient,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
  { log }: TransactionOptions = {},
): Promise<T> {
  const startedAt = Date.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.$transaction(run)
    } catch (error) {
      const isLast = attempt === maxAttempts || Date.now() - startedAt > giveUpAfterMs
      if (isLast || !isTransient(error)) throw error
      log?.debug({ attempt }, 'a transaction lost a race and is run again')
      await pause(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/**
 * Looks at what is there, then writes something that has to be unique. Of requests that take the same at one moment the
 * database lets one through; the others look again, and hear what they would have heard later.
 */
export async function writeUnique<T, R>(look: () => Promise<T>, write: (seen: T) => Promise<R>): Promise<R> {
  try {
    return await write(await look())
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return write(await look())
  }
}
