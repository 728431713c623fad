import type { PGlite } from '@electric-sql/pglite'
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils'
import { connectValues } from '../embedded/adapter.ts'
import { DatabaseClient } from '../postgres/client.ts'
import { parseDatabaseUrl } from '../postgres/open.ts'
import { poolWith } from '../seams/pg.ts'
import { adapterOf } from '../seams/prisma.ts'
import type { Applied, AppliedSql, MigrationTarget } from './migrate.ts'

/** Instances that start together wait for each other on this lock. The number is arbitrary. */
const advisoryLockKey = 7_205_759_403_792

const waitForOtherInstances = '10min'

export function embeddedTarget(pglite: PGlite): MigrationTarget {
  return {
    readApplied: async () => await readApplied(await connectValues(pglite)),
    inTransaction: async (apply) => {
      await pglite.transaction(async (transaction) => {
        const values = await connectValues(transaction)
        await apply({
          queryRaw: (query) => values.queryRaw(query),
          executeRaw: (query) => values.executeRaw(query),
          executeScript: async (script) => void (await transaction.exec(script)),
          readApplied: () => readApplied(values),
        })
      })
    },
  }
}

/** Migrates on a separate connection without the time limits of requests, because a large table takes long. */
export function postgresTarget(databaseUrl: string): MigrationTarget {
  const withConnection = async <T>(use: (adapter: SqlDriverAdapter) => Promise<T>) => {
    const config = { ...parseDatabaseUrl(databaseUrl), application_name: 'tributary migrations' }
    const pool = poolWith({ ...config, max: 1, connectionTimeoutMillis: 5_000 }, DatabaseClient)
    const adapter = await adapterOf(pool, { disposeExternalPool: true }).connect()
    try {
      return await use(adapter)
    } finally {
      await adapter.dispose()
    }
  }
  return {
    readApplied: () => withConnection(readApplied),
    inTransaction: (apply) =>
      withConnection(async (adapter) => {
        const transaction = await adapter.startTransaction()
        // Without parameters this is a simple query, which runs a script of many statements. The adapter's
        // executeScript would split the script at each semicolon, also inside functions and strings.
        const run = async (sql: string) => void (await transaction.executeRaw({ sql, args: [], argTypes: [] }))
        try {
          await run(`SET LOCAL lock_timeout = '${waitForOtherInstances}'`)
          await run(`SELECT pg_advisory_xact_lock(${advisoryLockKey})`)
          await apply({
            queryRaw: (query) => transaction.queryRaw(query),
            executeRaw: (query) => transaction.executeRaw(query),
            executeScript: run,
            readApplied: () => readApplied(transaction),
          })
          await run('COMMIT')
          await transaction.commit()
        } catch (error) {
          await run('ROLLBACK').catch(() => {})
          await transaction.rollback()
          throw error
        }
      }),
  }
}

async function readApplied(connection: Pick<SqlQueryable, 'queryRaw'>): Promise<Applied> {
  const query = async (sql: string) => (await connection.queryRaw({ sql, args: [], argTypes: [] })).rows
  const [found] = await query(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL, obj_description(to_regclass('_prisma_migrations'), 'pg_class')`,
  )
  if (!found?.[0]) return { migrations: [], sql: undefined }
  const rows = await query(
    `SELECT migration_name, checksum, finished_at IS NOT NULL
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  )
  const migrations = rows.map(([name, checksum, isFinished]) => ({
    name: String(name),
    checksum: String(checksum),
    isFinished: isFinished === true,
  }))
  return { migrations, sql: found[1] ? (JSON.parse(String(found[1])) as AppliedSql) : undefined }
}
