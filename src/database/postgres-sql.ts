import type pg from 'pg'
import type { Logger } from 'pino'
import { isReadOnly } from './errors.ts'
import { destroySocket, readTimeout } from './postgres.ts'
import { type Read, ReadBatch } from './read-batch.ts'
import { type Sql, type SqlDatabase, type SqlTransaction, statement, type TextRow } from './sql.ts'
import { createTextReads } from './text-reads.ts'

const begin = statement('BEGIN')
const commit = statement('COMMIT')

/** Prepared statements on the pool that Prisma uses too. */
export function createPostgresSql(pool: pg.Pool, log: Logger): SqlDatabase {
  return {
    ...sqlOn(pool),
    ...createTextReads(pool),
    transaction: async (run) => {
      const client = await pool.connect()
      // Closed unless the server confirmed the end of the transaction: the next writes would join the old one.
      let isReusable = false
      const transaction = createTransaction(client)
      try {
        const result = await run(transaction.sql)
        await transaction.commit()
        isReusable = true
        return result
      } catch (error) {
        // What a batch that failed has prepared is not known.
        isReusable = (await rollBack(client, log)) && !transaction.hasFailedBatch() && !isReadOnly(error)
        throw error
      } finally {
        client.release(!isReusable)
      }
    },
  }
}

const sqlOn = (connection: pg.Pool | pg.PoolClient): Sql => ({
  query: async ({ name, text }, values = []) => {
    const { rows } = await connection.query({ name, text, values: values as unknown[] })
    return rows
  },
})

/** A transaction that begins with its first round trip: statements wait for the next one whose rows are needed. */
function createTransaction(client: pg.PoolClient) {
  let deferred: Read[] = [{ statement: begin, values: [] }]
  let hasFailed = false

  const send = async (read?: Read): Promise<ReadBatch> => {
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
      return sqlOn(client).query(...args)
    },
    textRows: async (statement, values = []) => (await send({ statement, values })).results.at(-1) as TextRow[],
    defer: async (statement, values = []) => void deferred.push({ statement, values }),
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

const sendBatch = (client: pg.PoolClient, reads: readonly Read[]): Promise<ReadBatch> =>
  new Promise((resolve, reject) => {
    const batch = new ReadBatch(reads)
    // The types of pg do not know queries of one's own.
    const query = client.query.bind(client) as unknown as (
      batch: ReadBatch,
      done: (error: Error | null) => void,
    ) => void
    query(batch, (error) => {
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
