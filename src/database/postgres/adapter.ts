import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isReadOnly } from '../client/errors.ts'
import { entersProgram } from '../client/row-security.ts'
import { statement } from '../client/sql.ts'
import { adapterOf, connectionOf, startingOn } from '../seams/prisma.ts'
import { cancelStatement } from './cancel.ts'

/** Prisma's adapter for the pool, with the end of each transaction made safe. */
export function createPostgresAdapter(pool: pg.Pool, log: Logger): SqlDriverAdapterFactory {
  const factory = adapterOf(pool, { statementNameGenerator: preparedName })
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect()
      const startAtOnce = adapter.startTransaction.bind(adapter)
      // The adapter sends BEGIN as soon as it has a connection.
      const held = { connect: async () => holdBegin(await pool.connect()) }
      const startLater = startingOn(adapter, held)
      adapter.startTransaction = async (isolationLevel) =>
        isolationLevel
          ? endSafely(await startAtOnce(isolationLevel), log)
          : endSafely(beginLater(await startLater()), log)
      return adapter
    },
  }
}

/** Statements of Prisma that were seen. From the second time on, they have a name. */
const seen = new LRUCache<string, { name?: string }>({ max: 2_000 })

/** Prisma's own statements, and raw ones with the comment: others can select `*`, which must not be prepared. */
const isGenerated = /^\s*(?:\/\* prepared \*\/|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) (?:"|[A-Z]+\())/

/** The name under which Prisma's adapter prepares a statement; empty if it is not prepared. */
function preparedName({ sql, args }: { sql: string; args: readonly unknown[] }): string {
  if (args.length === 0 || !isGenerated.test(sql)) return ''
  const known = seen.get(sql)
  if (!known) seen.set(sql, {})
  else known.name ??= statement(sql).name
  return known?.name ?? ''
}

function holdBegin(client: pg.PoolClient): pg.PoolClient {
  const { query } = client
  client.query = (() => {
    client.query = query
    return Promise.resolve({ rowCount: 0 })
  }) as unknown as typeof query
  return client
}

/** Sends BEGIN with a first statement that names the program, else before it. Without statements, not at all. */
function beginLater(transaction: Transaction): Transaction {
  const queryRaw = transaction.queryRaw.bind(transaction)
  const executeRaw = transaction.executeRaw.bind(transaction)
  let hasBegun = false
  const begin = async (sql = 'BEGIN') => {
    hasBegun = true
    return await executeRaw({ sql, args: [], argTypes: [] })
  }
  transaction.queryRaw = async (query) => {
    if (!hasBegun) await begin()
    return await queryRaw(query)
  }
  transaction.executeRaw = async (query) => {
    if (hasBegun) return await executeRaw(query)
    if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') return 0
    if (query.args.length === 0 && entersProgram(query.sql)) return await begin(`BEGIN; ${query.sql}`)
    await begin()
    return await executeRaw(query)
  }
  return transaction
}

/**
 * - A ROLLBACK never fails. Prisma's transaction timer sends one and handles no error, which would end the process.
 * - A connection returns to the pool only after the server confirmed the end of the transaction. Otherwise the next
 *   writes would join the old transaction. Prisma does not roll back a transaction that started too late.
 * - PostgreSQL responds to the COMMIT of a failed transaction with a ROLLBACK, without an error. It is an error here.
 * - A ROLLBACK while a statement runs cancels the statement.
 * - A connection to a server that became read-only is closed, so that the next one can reach the new primary.
 */
function endSafely(transaction: Transaction, log: Logger): Transaction {
  const client = connectionOf(transaction)
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
