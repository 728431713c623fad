import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { registerSql, sqlWithin } from './sql.ts'

type Run<T> = (tx: Prisma.TransactionClient) => Promise<T>

export type ClientWithin = {
  db: PrismaClient
  /** Whether one of its transactions has ended without an error. */
  hasWritten(): boolean
}

/**
 * A client for code that opens transactions of its own, on which everything is part of one transaction. A transaction of it
 * is a savepoint: an error undoes it alone. Its options, such as a timeout, do not apply. The client is not to be used
 * after the transaction has ended.
 */
export function clientWithin(tx: Prisma.TransactionClient): ClientWithin {
  let hasWritten = false
  let last: Promise<unknown> = Promise.resolve()
  // Savepoints of one connection cannot overlap.
  const transaction = <T>(run: Run<T>): Promise<T> => {
    const result = last.then(() => tx.$transaction(run))
    last = result.then(
      () => {
        hasWritten = true
      },
      () => {},
    )
    return result
  }
  const db = new Proxy(tx, {
    get(target, name) {
      if (name === '$transaction') return transaction
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as PrismaClient
  const sql = sqlWithin(tx)
  registerSql(db, {
    ...sql,
    sharedTextRows: sql.textRows,
    transaction: (run) => transaction((inner) => run(sqlWithin(inner))),
    canCancel: false,
  })
  return { db, hasWritten: () => hasWritten }
}
