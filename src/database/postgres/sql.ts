import type pg from 'pg'
import type { Logger } from 'pino'
import type { Sql, SqlDatabase, SqlTransaction, Statement, TextRow } from '../../kernel/db.ts'
import type { Deadline } from '../../kernel/deadline.ts'
import { usesMechanism } from '../../kernel/engine.ts'
import { isReadOnly } from '../client/errors.ts'
import { enterProgram } from '../client/row-security.ts'
import { statement } from '../client/sql.ts'
import { destroySocket, type Read, ReadBatch, submit } from '../seams/pg.ts'
import { cancelStatement } from './cancel.ts'
import { readTimeout } from './connection.ts'

const begin = statement('BEGIN')
const commit = statement('COMMIT')
const enter = statement(enterProgram)

/** Prepared statements on Prisma's pool. @param programRole null without row-level security */
export function createPostgresSql(pool: pg.Pool, log: Logger, programRole: string | null = null): SqlDatabase {
  const shared = createTextReads(pool)
  /** Runs one statement on a separate connection, so that it can be cancelled. */
  const alone = async <T>(end: Pick<Deadline, 'onOver'>, run: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let isReusable = true
    const forget = end.onOver(() => {
      isReusable = false
      cancelStatement(client, log)
    })
    try {
      return await run(client)
    } catch (error) {
      isReusable = false
      throw error
    } finally {
      forget()
      client.release(!isReusable)
    }
  }
  return {
    ...shared,
    isInThread: false,
    query: (statement, values, end) => {
      const run = (connection: pg.Pool | pg.PoolClient) => sqlOn(connection).query(statement, values)
      return end ? alone(end, run) : run(pool)
    },
    textRows: (statement, values = [], end) =>
      end
        ? alone(end, async (client) => (await sendBatch(client, [{ statement, values }])).results[0] as TextRow[])
        : shared.textRows(statement, values),
    transaction: async (run, end, programId) => {
      const client = await pool.connect()
      // Closed unless the server confirmed the end of the transaction: the next writes would join the old one.
      let isReusable = false
      let isCancelled = false
      const transaction = createTransaction(
        client,
        programRole !== null && programId !== undefined ? [programRole, programId] : null,
      )
      const forget = end?.onOver(() => {
        isCancelled = true
        cancelStatement(client, log)
      })
      try {
        const result = await run(transaction.sql)
        forget?.()
        await transaction.commit()
        // A cancellation that arrives late would end a statement of the next user.
        isReusable = !isCancelled
        return result
      } catch (error) {
        // What a batch that failed has prepared is not known.
        isReusable =
          (await rollBack(client, log)) && !transaction.hasFailedBatch() && !isCancelled && !isReadOnly(error)
        throw error
      } finally {
        forget?.()
        client.release(!isReusable)
      }
    },
    canCancel: true,
    programRole,
  }
}

const sqlOn = (connection: pg.Pool | pg.PoolClient): Sql => ({
  query: async ({ name, text, patienceMs }, values = []) => {
    const config = { name, text, values: values as unknown[], ...(patienceMs && { query_timeout: patienceMs }) }
    const { rows } = await connection.query(config)
    return rows
  },
})

/** Begins with its first round trip: statements wait for one whose rows are needed. */
function createTransaction(client: pg.PoolClient, program: readonly [role: string, id: string] | null) {
  const own = program ? ofPrograms : (statement: Statement<unknown>) => statement
  let deferred: Read[] = [{ statement: begin, values: [] }]
  if (program) deferred.push({ statement: enter, values: program })
  let hasFailed = false

  const send = async (read?: Read): Promise<Sent> => {
    const reads = read ? [...deferred, read] : deferred
    deferred = []
    try {
      return await sendBatch(client, reads)
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const sql: SqlTransaction = {
    query: async (...args) => {
      if (deferred.length > 0) await send()
      const [statement, values] = args
      return sqlOn(client).query({ ...statement, name: own(statement).name }, values)
    },
    textRows: async (statement, values = []) =>
      (await send({ statement: own(statement), values })).results.at(-1) as TextRow[],
    defer: async (statement, values = []) => void deferred.push({ statement: own(statement), values }),
  }
  return {
    sql,
    async commit(): Promise<void> {
      const { tags } = await send({ statement: commit, values: [] })
      // PostgreSQL responds to the COMMIT of a failed transaction with a ROLLBACK, without an error.
      if (tags.at(-1) !== 'COMMIT') throw new Error('a statement of this transaction failed, so it was rolled back')
    },
    hasFailedBatch: () => hasFailed,
  }
}

/** PostgreSQL plans a statement again whenever another role than before executes it, so each role has its own. */
const ofPrograms = (statement: Statement<unknown>): Statement<unknown> => ({ ...statement, name: `${statement.name}p` })

type Sent = Pick<ReadBatch, 'results' | 'tags'>

const sendBatch = (client: pg.PoolClient, reads: readonly Read[]): Promise<Sent> =>
  usesMechanism('batches') ? sendTogether(client, reads) : sendEach(client, reads)

const asTexts = { getTypeParser: () => (value: string) => value } as pg.CustomTypesConfig

async function sendEach(connection: pg.Pool | pg.PoolClient, reads: readonly Read[]): Promise<Sent> {
  const sent: Sent = { results: [], tags: [] }
  for (const { statement, values } of reads) {
    const { name, text } = statement
    const query: pg.QueryArrayConfig = { name, text, values: [...values], rowMode: 'array', types: asTexts }
    const { rows, command } = await connection.query<(string | null)[]>(query)
    sent.results.push(rows)
    sent.tags.push(command)
  }
  return sent
}

const sendTogether = (client: pg.PoolClient, reads: readonly Read[]): Promise<ReadBatch> =>
  new Promise((resolve, reject) => {
    const batch = new ReadBatch(reads)
    submit(client, batch, (error) => {
      if (!error) return resolve(batch)
      if (error.message === readTimeout) destroySocket(client)
      reject(error)
    })
  })

/** Whether the server confirmed the rollback. */
async function rollBack(client: pg.PoolClient, log: Logger): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch (err) {
    log.warn({ err }, 'rollback not confirmed, connection closed')
    return false
  }
}

type Pending = Read & { rows: Promise<TextRow[]>; resolve(rows: TextRow[]): void; reject(error: unknown): void }

/** Short reads in one message. More would let the last ones wait for many others. */
const maximumShared = 16

/**
 * Reads whose rows are text. Short ones that begin in one turn of the event loop share a message and a connection. A
 * read that can take long has its own message, so that no other waits for it.
 */
function createTextReads(pool: pg.Pool): Pick<SqlDatabase, 'textRows' | 'sharedTextRows'> {
  let own: Pending[] = []
  let shared = new Map<string, Pending>()

  const send = (reads: Pending[]) => {
    if (!usesMechanism('batches')) return reads.forEach(sendAlone)
    const batch = new ReadBatch(reads)
    submit(pool, batch, (error) => {
      // What is left of a query must lead to no rows: they would stay in memory until a full collection.
      const results = batch.results.splice(0)
      const ended = reads.splice(0, results.length)
      for (const [index, { resolve }] of ended.entries()) resolve(results[index] as TextRow[])
      // Those after the one that failed were not run.
      const [failed, ...skipped] = reads.splice(0)
      failed?.reject(error)
      if (error && skipped.length > 0) send(skipped)
    })
  }

  const sendAlone = (read: Pending) =>
    void sendEach(pool, [read]).then(({ results: [rows = []] }) => read.resolve(rows), read.reject)

  const sendAll = () => {
    const short = [...shared.values()]
    const long = own
    shared = new Map()
    own = []
    // The key of a request, and its page.
    if (short.length === 1 && long.length === 1) return send([...short, ...long])
    for (let start = 0; start < short.length; start += maximumShared) send(short.slice(start, start + maximumShared))
    for (const read of long) send([read])
  }

  const add = (statement: Read['statement'], values: readonly unknown[]): Pending => {
    if (own.length === 0 && shared.size === 0) setImmediate(sendAll)
    let settle: Pick<Pending, 'resolve' | 'reject'> | undefined
    const rows = new Promise<TextRow[]>((resolve, reject) => {
      settle = { resolve, reject }
    })
    return { statement, values, rows, ...(settle as NonNullable<typeof settle>) }
  }

  return {
    textRows: (statement, values = []) => {
      const read = add(statement, values)
      own.push(read)
      return read.rows
    },
    sharedTextRows: (statement, values = []) => {
      const key = `${statement.name} ${JSON.stringify(values, withBigints)}`
      const read = shared.get(key) ?? add(statement, values)
      shared.set(key, read)
      return read.rows
    },
  }
}

/** JSON has no 64-bit integers. */
const withBigints = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { bigint: `${value}` } : value
