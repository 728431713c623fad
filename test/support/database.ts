import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { PGlite } from '@electric-sql/pglite'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { Spans } from '../../src/database/client/spans.ts'
import { extensions } from '../../src/database/embedded/extensions.ts'
import { connectEmbedded, type Database, openDatabase } from '../../src/database/open.ts'
import type { Sql, SqlDatabase } from '../../src/kernel/db.ts'
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

/**
 * Creates a database with PGlite in memory that records every statement except BEGIN and COMMIT. Prisma sends the same
 * statements to PostgreSQL.
 *
 * @param before is called and awaited before each statement outside of a transaction
 */
export async function createCountedDatabase(
  before = async (_sql: string): Promise<void> => {},
): Promise<TestDatabase & { statements: string[] }> {
  const statements: string[] = []
  const record = (client: Pick<PGlite, 'query'>, wait = before) => {
    const query = client.query.bind(client)
    client.query = async (sql, ...more) => {
      // The background job of analytics looks for deltas to fold at any time.
      if (!/\bpending_deltas\b/.test(sql)) statements.push(sql)
      await wait(sql)
      return query(sql, ...more)
    }
  }
  const engine = await memoryEngines.take()
  const pglite = engine.value
  const { query, transaction: begin } = pglite
  const transaction = begin.bind(pglite)
  record(pglite)
  pglite.transaction = (run) =>
    transaction((engine) => {
      record(engine, async () => {})
      return run(engine)
    })
  const database = await connectEmbedded(pglite, async () => {
    Object.assign(pglite, { query, transaction: begin })
  })
  const { sql } = database.db
  Object.assign(sql, recorded({ ...sql }, statements, before))
  return { ...database, drop: () => database.close().then(engine.giveBack), statements }
}

/** The same for statements that do not go through Prisma. */
function recorded(sql: SqlDatabase, statements: string[], before: (sql: string) => Promise<void>): SqlDatabase {
  const recordedOn = ({ query }: Sql, wait = async (_sql: string) => {}): Sql => ({
    query: async (statement, values) => {
      statements.push(statement.text)
      await wait(statement.text)
      return query(statement, values)
    },
  })
  const recordedText =
    (read: SqlDatabase['textRows']): SqlDatabase['textRows'] =>
    async (statement, values) => {
      statements.push(statement.text)
      await before(statement.text)
      return read(statement, values)
    }
  return {
    ...recordedOn(sql, before),
    canCancel: sql.canCancel,
    isInThread: sql.isInThread,
    programRole: sql.programRole,
    textRows: recordedText(sql.textRows),
    sharedTextRows: recordedText(sql.sharedTextRows),
    transaction: (run) =>
      sql.transaction((tx) =>
        run({
          ...recordedOn(tx),
          textRows: async (statement, values) => {
            statements.push(statement.text)
            return tx.textRows(statement, values)
          },
          defer: async (statement, values) => {
            statements.push(statement.text)
            return tx.defer(statement, values)
          },
        }),
      ),
  }
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
