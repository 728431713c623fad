import type pg from 'pg'
import type { Logger } from 'pino'
import { isReadOnly } from './errors.ts'
import type { Sql, SqlDatabase } from './sql.ts'
import { createTextReads } from './text-reads.ts'

/** Prepared statements on the pool that Prisma uses too. */
export function createPostgresSql(pool: pg.Pool, log: Logger): SqlDatabase {
  return {
    ...sqlOn(pool),
    ...createTextReads(pool),
    transaction: async (run) => {
      const client = await pool.connect()
      // Closed unless the server confirmed the end of the transaction: the next writes would join the old one.
      let isReusable = false
      try {
        await client.query('BEGIN')
        const result = await run(sqlOn(client))
        const { command } = await client.query('COMMIT')
        isReusable = true
        // PostgreSQL responds to the COMMIT of a failed transaction with a ROLLBACK, without an error.
        if (command !== 'COMMIT') throw new Error('a statement of this transaction failed, so it was rolled back')
        return result
      } catch (error) {
        if (!isReusable) isReusable = (await rollBack(client, log)) && !isReadOnly(error)
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
