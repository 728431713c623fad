import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import type { Logger } from 'pino'
import { describeCause, OperatorError } from './operator-error.ts'
import { limits } from './timeouts.ts'

const oldestMajorVersion = 15
const defaultPoolSize = 10

const sessionSettings = [
  // Prisma's adapter sends and reads times without a zone, so the session's zone must be UTC whatever the server's is.
  '-c TimeZone=UTC',
  '-c default_transaction_isolation=read\\ committed',
  // Compiling a statement takes longer than running any of ours.
  '-c jit=off',
]

export type PostgresOptions = { databaseUrl: string; poolSize?: number; log: Logger }

/** A pool whose connections give up on a dead or busy server instead of waiting for ever. */
export function createPool({ databaseUrl, poolSize, log }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    ...parseDatabaseUrl(databaseUrl),
    max: poolSize ?? defaultPoolSize,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    keepAlive: true,
    application_name: 'tributary',
  })
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (error) => log.warn({ cause: describeCause(error) }, 'a connection to PostgreSQL was lost'))
  pool.on('connect', (client) => closeOnSilence(client, log))
  return pool
}

/** The connection settings in a DATABASE_URL, with the settings that each session must have. */
export function parseDatabaseUrl(databaseUrl: string): pg.ClientConfig {
  let url: URL
  try {
    url = new URL(databaseUrl)
  } catch {
    throw new OperatorError('DATABASE_URL is not a URL. It looks like postgres://user:password@host:5432/database.')
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw new OperatorError(`DATABASE_URL must start with postgres://, not with ${url.protocol}//.`)
  }
  const schema = url.searchParams.get('schema')
  if (schema !== null && schema !== 'public') {
    throw new OperatorError(
      `DATABASE_URL names the schema ${schema}; only public is supported. Use a database of its own.`,
    )
  }
  url.searchParams.delete('schema')
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', ...sessionSettings].join(' ').trim())
  return { connectionString: url.href }
}

/** Host, port and database of a DATABASE_URL, for messages: never the user or the password. */
function describeServer(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  return `PostgreSQL at ${url.hostname || 'localhost'}:${url.port || '5432'}${url.pathname}`
}

/** Throws a message of one line unless the server answers and is recent enough. */
export async function checkServer(pool: pg.Pool, databaseUrl: string): Promise<void> {
  let versionNumber: number
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    versionNumber = rows[0]?.version ?? 0
  } catch (error) {
    throw new OperatorError(
      `Can not use ${describeServer(databaseUrl)}: ${describeCause(error)}. Check that it runs and that DATABASE_URL is right.`,
    )
  }
  const major = Math.floor(versionNumber / 10_000)
  if (major < oldestMajorVersion) {
    throw new OperatorError(
      `${describeServer(databaseUrl)} is version ${major}; Tributary needs ${oldestMajorVersion} or later.`,
    )
  }
}

/** Prisma over the pool. Unlike the plain adapter it never reports a commit that was a rollback. */
export function createPostgresAdapter(pool: pg.Pool): SqlDriverAdapterFactory {
  // The adapter brings older types of the same pg package.
  const factory = new PrismaPg(pool as unknown as ConstructorParameters<typeof PrismaPg>[0])
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect()
      const startTransaction = adapter.startTransaction.bind(adapter)
      adapter.startTransaction = async (isolationLevel) => refuseFailedCommit(await startTransaction(isolationLevel))
      return adapter
    },
  }
}

/** PostgreSQL answers COMMIT of a transaction with a failed statement by a silent ROLLBACK. */
function refuseFailedCommit(transaction: Transaction): Transaction {
  let hasFailed = false
  const executeRaw = transaction.executeRaw.bind(transaction)
  const queryRaw = transaction.queryRaw.bind(transaction)
  const rollbackToSavepoint = transaction.rollbackToSavepoint?.bind(transaction)
  const noteFailure = (error: unknown) => {
    hasFailed = true
    throw error
  }
  transaction.queryRaw = (query) => queryRaw(query).catch(noteFailure)
  transaction.executeRaw = async (query) => {
    if (query.sql !== 'COMMIT' || !hasFailed) return await executeRaw(query).catch(noteFailure)
    await executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] })
    throw new Error('a statement of this transaction failed, so it was rolled back')
  }
  if (rollbackToSavepoint) {
    transaction.rollbackToSavepoint = async (name) => {
      await rollbackToSavepoint(name)
      hasFailed = false
    }
  }
  return transaction
}

/**
 * A connection whose server fell silent must not return to the pool: its ROLLBACK was given up as well, and should the
 * server wake, the next user's writes would join the old transaction.
 */
function closeOnSilence(client: pg.PoolClient, log: Logger): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const stream = (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
  client.query = ((...args: unknown[]) => {
    const result = query(...args)
    if (result instanceof Promise) {
      result.catch((error: Error) => {
        if (error.message !== 'Query read timeout') return
        log.warn('PostgreSQL did not answer in time; its connection was closed')
        stream.destroy()
      })
    }
    return result
  }) as typeof client.query
}
