import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import type { Logger } from 'pino'
import { cancelStatement } from './cancel.ts'
import { isReadOnly } from './errors.ts'

/** Prisma's adapter for the pool, with the end of each transaction made safe. */
export function createPostgresAdapter(pool: pg.Pool, log: Logger): SqlDriverAdapterFactory {
  // The adapter depends on older types of the pg package, which the compiler treats as different types.
  const factory = new PrismaPg(pool as unknown as ConstructorParameters<typeof PrismaPg>[0])
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect()
      const startTransaction = adapter.startTransaction.bind(adapter)
      adapter.startTransaction = async (isolationLevel) => endSafely(await startTransaction(isolationLevel), log)
      return adapter
    },
  }
}

/**
 * - A ROLLBACK never fails. Prisma's transaction timer sends one and handles no error, which would end the process when
 *   the server is silent. The server rolls back without it, because the connection is closed.
 * - A connection returns to the pool only after the server confirmed the end of the transaction. Otherwise the next
 *   writes would join the old transaction. Prisma does not roll back a transaction that started too late.
 * - PostgreSQL responds to the COMMIT of a failed transaction with a ROLLBACK, without an error. It is an error here.
 * - A ROLLBACK while a statement runs cancels the statement.
 * - A connection to a server that became read-only is closed, so that the next one can reach the new primary.
 */
function endSafely(transaction: Transaction, log: Logger): Transaction {
  // The type of the adapter's transaction does not declare its connection.
  const { client } = transaction as Transaction & { client: pg.PoolClient }
  let hasFailed = false
  let hasEnded = false
  let isStale = false
  let running = 0
  const executeRaw = transaction.executeRaw.bind(transaction)
  const queryRaw = transaction.queryRaw.bind(transaction)
  const rollbackToSavepoint = transaction.rollbackToSavepoint?.bind(transaction)
  const markFailed = (error: unknown) => {
    hasFailed = true
    isStale ||= isReadOnly(error)
    throw error
  }
  const rollBack = async () => {
    // Prisma's timer has ended the transaction. The statement would keep the connection until it ends.
    if (running > 0) {
      isStale = true
      cancelStatement(client, log)
    }
    try {
      await executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] })
      hasEnded = true
    } catch (err) {
      log.warn({ err }, 'rollback not confirmed, connection closed')
    }
  }
  const counted = async <T>(run: () => Promise<T>): Promise<T> => {
    running += 1
    return await run()
      .catch(markFailed)
      .finally(() => {
        running -= 1
      })
  }
  transaction.queryRaw = (query) => counted(() => queryRaw(query))
  transaction.executeRaw = async (query) => {
    if (query.sql === 'ROLLBACK') {
      await rollBack()
      return 0
    }
    if (query.sql !== 'COMMIT') return await counted(() => executeRaw(query))
    if (hasFailed) {
      await rollBack()
      throw new Error('a statement of this transaction failed, so it was rolled back')
    }
    const count = await executeRaw(query).catch(markFailed)
    hasEnded = true
    return count
  }
  if (rollbackToSavepoint) {
    transaction.rollbackToSavepoint = async (name) => {
      await rollbackToSavepoint(name)
      hasFailed = false
    }
  }
  for (const end of ['commit', 'rollback'] as const) {
    const release = transaction[end].bind(transaction)
    transaction[end] = async () => {
      if (!hasEnded || isStale) closeOnRelease(client)
      await release()
    }
  }
  return transaction
}

function closeOnRelease(client: pg.PoolClient): void {
  const release = client.release.bind(client)
  client.release = () => release(true)
}
