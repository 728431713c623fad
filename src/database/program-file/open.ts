import pg from 'pg'
import type { Logger } from 'pino'
import { openEmbedded } from '../embedded/open.ts'
import { readMigrationFiles, readSchema } from '../migrations/files.ts'
import { applyMigrations, findPending } from '../migrations/migrate.ts'
import { embeddedTarget, postgresTarget } from '../migrations/targets.ts'
import { connectEmbedded, type Database, openDatabase } from '../open.ts'
import { OperatorError } from '../operator-error.ts'
import { parseDatabaseUrl } from '../postgres/open.ts'
import type { Query } from '../tables.ts'

type StoreOptions = {
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  dataDir: string
  log: Logger
}

/** A database for one command: with Prisma, and on a separate connection without timeouts. */
export type Store = { db: Database['db']; query: Query; close(): Promise<void> }

/** The last migration of this version. */
export const schemaVersion = (): string => readMigrationFiles().at(-1)?.name ?? ''

/**
 * Opens the database of the settings. The embedded one must not be running. The schema of PostgreSQL is not changed,
 * unless it is empty: instances may use it.
 * @throws OperatorError if the schema of PostgreSQL is of another version
 */
export async function openStore({ databaseUrl, databaseDirectUrl, dataDir, log }: StoreOptions): Promise<Store> {
  if (databaseUrl === undefined) return openEmbeddedStore(dataDir, log)
  const url = databaseDirectUrl ?? databaseUrl
  const applied = await postgresTarget(url).readApplied()
  const pending = findPending(readSchema(), applied)
  if (applied.migrations.length > 0 && pending)
    throw new OperatorError(
      'The database has the schema of an earlier version. Run this command with the version of the servers, or start a server of this version first.',
    )
  const { db, close } = await openDatabase({ databaseUrl: url, dataDir, log, poolSize: 2 })
  const client = new pg.Client({ ...parseDatabaseUrl(url), application_name: 'tributary program file' })
  const query = (async (text, values = []) => (await client.query(text, [...values])).rows) as Query
  const closeAll = async () => {
    await client.end()
    await close()
  }
  try {
    await client.connect()
    await setSession(query)
    return { db, query, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function openEmbeddedStore(dataDir: string, log: Logger): Promise<Store> {
  const { pglite, close } = await openEmbedded({ dataDir, log })
  const query = (async (text, values = []) => (await pglite.query(text, [...values])).rows) as Query
  try {
    await applyMigrations(embeddedTarget(pglite), { log })
    await setSession(query)
    const database = await connectEmbedded(pglite, close)
    return { db: database.db, query, close: database.close }
  } catch (error) {
    await close()
    throw error
  }
}

async function setSession(query: Query): Promise<void> {
  await query(`set timezone = 'UTC'`)
  await query('set statement_timeout = 0')
}
