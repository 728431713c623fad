import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { PGlite } from '@electric-sql/pglite'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { Spans } from '../../src/database/client/spans.ts'
import { extensions } from '../../src/database/embedded/extensions.ts'
import { connectEmbedded, type Database, openDatabase } from '../../src/database/open.ts'
import { createEngines, emptyTables } from './engines.ts'
import { databaseUrlOf, withServer } from './global-setup.ts'

export const silentLog = pino({ level: 'silent' })

export type TestDatabase = Database & {
  /** Closes and removes the database. */
  drop(): Promise<void>
}

/**
 * Opens an empty, migrated database: on PostgreSQL with TEST_DATABASE_URL, else with PGlite in memory. Dropping it empties
 * it for the next test file of the worker: creating a database takes longer than most files.
 *
 * @param options.isOwn for tests that change more than rows, such as roles or partitions: the database is not used again
 */
export async function createTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  return inject('databases').postgres ? await createPostgresDatabase(options) : await createMemoryDatabase(options)
}

type DatabaseOptions = { spans?: Spans; isOwn?: boolean }

export async function createMemoryDatabase({ spans, isOwn = false }: DatabaseOptions = {}): Promise<TestDatabase> {
  const engine = await memoryEngines.take({ isOwn })
  const database = await connectEmbedded(engine.value, async () => {}, spans)
  return { ...database, drop: () => database.close().then(engine.giveBack) }
}

let initialised: Promise<Blob> | undefined

/** Creates a PGlite in memory without any migration. Its files are made once in a worker: `initdb` takes four times as long. */
export async function createEmptyPGlite(): Promise<PGlite> {
  initialised ??= PGlite.create().then(async (pglite) => {
    const files = await pglite.dumpDataDir('none')
    await pglite.close()
    return files
  })
  return PGlite.create({ loadDataDir: await initialised })
}

/** What a transaction begins with. Its statements are recorded one by one. */
const beginnings = ['BEGIN', 'TRANSACTION']

/**
 * Creates a database with PGlite in memory that records every statement except BEGIN and COMMIT. The same are sent to
 * PostgreSQL.
 *
 * @param before is called and awaited before each statement
 */
export async function createCountedDatabase(
  before = async (_sql: string): Promise<void> => {},
): Promise<TestDatabase & { statements: string[] }> {
  const statements: string[] = []
  const spans: Spans = {
    statement: async (sql, run) => {
      // The background job of analytics looks for deltas to fold at any time.
      if (!beginnings.includes(sql) && !/\bpending_deltas\b/.test(sql)) statements.push(sql)
      await before(sql)
      return await run()
    },
    bind: (run) => run,
  }
  return { ...(await createMemoryDatabase({ spans })), statements }
}

const createPGlite = async () =>
  PGlite.create({ loadDataDir: new Blob([await readFile(inject('databases').dump)]), extensions })

const memoryEngines = createEngines<PGlite>({
  create: createPGlite,
  empty: async (pglite) => {
    // The one connection forgets its statements and settings.
    await pglite.exec('DISCARD ALL')
    return emptyTables((sql) => pglite.query(sql))
  },
  destroy: (pglite) => pglite.close(),
})

const postgresEngines = createEngines({
  create: createPostgresClone,
  empty: ({ url }) => withServer(url, (client) => emptyTables((sql) => client.query(sql))),
  destroy: ({ drop }) => drop(),
})

async function createPostgresDatabase({ spans, isOwn = false }: DatabaseOptions): Promise<TestDatabase> {
  const engine = await postgresEngines.take({ isOwn })
  const addresses = await addressesOf(engine.value.url)
  const database = await openDatabase({ ...addresses, dataDir: tmpdir(), log: silentLog, spans })
  return { ...database, drop: () => database.close().then(engine.giveBack) }
}

/** How the service reaches a database of the test server: through the pooler, if the tests run with one. */
export async function addressesOf(url: string): Promise<{ databaseUrl: string; databaseDirectUrl?: string }> {
  const poolerUrl = inject('databases').postgres?.poolerUrl
  if (!poolerUrl) return { databaseUrl: url }
  await setForPooler(url)
  return { databaseUrl: databaseUrlOf(poolerUrl, new URL(url).pathname.slice(1)), databaseDirectUrl: url }
}

/** The settings that a pooler in transaction mode does not pass on: see docs/postgresql.md. */
export async function setForPooler(url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1)
  const settings = [
    `timezone = 'UTC'`,
    `statement_timeout = '10s'`,
    `lock_timeout = '2s'`,
    `idle_in_transaction_session_timeout = '16s'`,
    `default_transaction_isolation = 'read committed'`,
    'jit = off',
  ]
  await withServer(url, async (client) => {
    for (const setting of settings) await client.query(`ALTER DATABASE ${database} SET ${setting}`)
  })
}

/** Creates a database on the test server, migrated unless `empty`. Databases that remain are dropped after the run. */
export async function createPostgresClone({ empty = false } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const { postgres } = inject('databases')
  if (!postgres) throw new Error('TEST_DATABASE_URL is not set')
  const { serverUrl, template, prefix } = postgres
  const name = prefix + randomBytes(6).toString('hex')
  const source = empty ? '' : `TEMPLATE ${template}`
  await withServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name} ${source}`))
  return {
    url: databaseUrlOf(serverUrl, name),
    drop: () =>
      withServer(serverUrl, async (client) => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`))),
  }
}
