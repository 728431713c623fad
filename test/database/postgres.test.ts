import { createServer, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isUnavailable } from '../../src/database/client/errors.ts'
import { limits } from '../../src/database/client/timeouts.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createPostgresAdapter } from '../../src/database/postgres/adapter.ts'
import { checkServer, createPool, parseDatabaseUrl } from '../../src/database/postgres/open.ts'
import { PrismaClient } from '../../src/generated/prisma/client.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'
import { withServer } from '../support/global-setup.ts'
import { startProxy } from '../support/postgres-proxy.ts'
import { programNames } from '../support/program-names.ts'

const withoutPostgres = !process.env.TEST_DATABASE_URL

test('each timeout is shorter than the one that encloses it', () => {
  const order = [
    limits.lockMs,
    limits.statementMs,
    limits.transactionMs,
    limits.queryMs,
    limits.longTransactionMs,
    30_000,
  ]
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(new Set(order).size).toBe(order.length)
})

test('the error for an unreachable server is one line with its address and without the password', async () => {
  const databaseUrl = 'postgres://someone:s3cret@127.0.0.1:1/program'
  const failure = openDatabase({ databaseUrl, dataDir: 'unused', log })
  await expect(failure).rejects.toThrow(/^Cannot use PostgreSQL at 127\.0\.0\.1:1\/program: .*ECONNREFUSED.*\.$/)
  await expect(failure).rejects.not.toThrow(/s3cret|someone/)
})

test.each([
  ['not a url', 'DATABASE_URL is not a URL'],
  ['mysql://localhost/x', 'must start with postgres://'],
  ['postgres://localhost/x?schema=other', 'only public is supported'],
])('the DATABASE_URL %s is rejected', (databaseUrl, message) => {
  expect(() => parseDatabaseUrl(databaseUrl)).toThrow(message)
})

test.each([
  ['postgres://localhost/x', {}, userInfo().username],
  ['postgres:///x?host=/run/postgresql', {}, userInfo().username],
  ['postgres://localhost/x', { PGUSER: 'someone' }, 'someone'],
  ['postgres://named@localhost/x', { PGUSER: 'someone' }, 'named'],
])('%s with %o connects as %s', (databaseUrl, env, user) => {
  for (const name of ['PGUSER', 'USER']) vi.stubEnv(name, (env as Record<string, string>)[name])
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(new pg.Client(parseDatabaseUrl(databaseUrl)).user).toBe(user)
})

test('connecting to a server that accepts but does not respond fails', { timeout: 10_000 }, async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const failure = openDatabase({ databaseUrl: `postgres://a@127.0.0.1:${port}/x`, dataDir: 'unused', log })
  await expect(failure).rejects.toThrow(/^Cannot use PostgreSQL at 127\.0\.0\.1:.* does not respond/)
})

test('a server older than PostgreSQL 15 is rejected', async () => {
  const old = { query: async () => ({ rows: [{ version: 140_011 }] }) } as never
  await expect(checkServer(old, 'postgres://h/x')).rejects.toThrow('is version 14; Tributary needs 15 or later')
})

test.skipIf(withoutPostgres)(
  'sessions have the timeouts, UTC and read committed, whatever the defaults of the database (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone()
    const name = new URL(url).pathname.slice(1)
    await withServer(url, (client) => client.query(`ALTER DATABASE ${name} SET timezone = 'America/New_York'`))
    await withServer(url, (client) =>
      client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`),
    )
    const { db, close } = await openDatabase({ databaseUrl: url, dataDir: 'unused', log })
    const settings = await db.$queryRaw<{ name: string; setting: string }[]>`
    SELECT name, setting FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout', 'TimeZone',
      'idle_in_transaction_session_timeout', 'default_transaction_isolation')`
    expect(Object.fromEntries(settings.map((row) => [row.name, row.setting]))).toEqual({
      TimeZone: 'UTC',
      lock_timeout: String(limits.lockMs),
      statement_timeout: String(limits.statementMs),
      idle_in_transaction_session_timeout: String(limits.idleInTransactionMs),
      default_transaction_isolation: 'read committed',
    })
    const at = new Date('2026-07-01T12:00:00.123Z')
    const data = {
      id: mintId(at),
      name: 'p',
      url: 'u',
      currency: 'eur',
      ...programNames(),
      createdAt: at,
      updatedAt: at,
    }
    await db.program.create({ data })
    const [row] = await db.$queryRaw<
      { epoch: number }[]
    >`SELECT extract(epoch FROM created_at)::float AS epoch FROM programs`
    expect(row?.epoch).toBe(at.getTime() / 1000)
    expect((await db.program.findFirstOrThrow()).createdAt).toEqual(at)
    await close()
    await drop()
  },
)

test.skipIf(withoutPostgres)(
  'when the server terminates all connections, the process survives and the next query works (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone()
    const lines: string[] = []
    const capturingLog = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    const { db, close } = await openDatabase({ databaseUrl: url, dataDir: 'unused', log: capturingLog })
    const inTransaction = db.$transaction(async (tx) => {
      await tx.program.count()
      await endConnections(url)
      await pause(50)
      await tx.program.count()
    })
    const failure = await inTransaction.catch((error) => error)
    expect(isUnavailable(failure)).toBe(true)
    await expect.poll(() => db.program.count()).toBe(0)
    await endConnections(url)
    await expect.poll(() => lines.join('')).toContain('database connection lost')
    await expect.poll(() => db.program.count().catch(() => -1)).toBe(0)
    await close()
    await drop()
  },
)

test.skipIf(withoutPostgres)(
  'a connection that timed out in a transaction is not reused (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone()
    const proxy = await startProxy(url)
    const pool = createPool({ databaseUrl: proxy.url, poolSize: 1, log })
    const poolOptions = pool.options as { query_timeout?: number }
    poolOptions.query_timeout = 300
    const client = await pool.connect()
    client.on('error', () => {})
    await client.query('BEGIN')
    proxy.freeze()
    await expect(client.query('SELECT 1')).rejects.toThrow('Query read timeout')
    await expect(client.query('ROLLBACK')).rejects.toThrow()
    client.release()
    proxy.thaw()
    const { rows } = await pool.query('SELECT now() = statement_timestamp() AS fresh')
    expect(rows).toEqual([{ fresh: true }])
    await pool.end()
    await drop()
  },
)

test.skipIf(withoutPostgres)(
  'a transaction that times out while the server is silent fails, and neither the process nor a later write is affected (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone()
    const proxy = await startProxy(url)
    const { db, pool } = await openThrough(proxy.url, { queryTimeoutMs: 600 })
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const failure = await db
      .$transaction(
        async (tx) => {
          await addProgram(tx)
          proxy.freeze()
          await tx.program.count()
        },
        { timeout: 300 },
      )
      .catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
    await expect.poll(() => pool.totalCount).toBe(0)
    proxy.thaw()
    await expect.poll(() => db.program.count().catch(() => -1)).toBe(0)
    expect(unhandled).toEqual([])
    await db.$disconnect()
    await pool.end()
    await drop()
  },
)

test.skipIf(withoutPostgres)(
  'after a transaction that started too late, the next write is committed (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone()
    const { db, pool } = await openThrough(url, { poolSize: 1 })
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = db.$transaction((tx) => tx.program.count().then(() => isReleased))
    const failure = db.$transaction(() => expect.unreachable(), { maxWait: 200 })
    await expect(failure).rejects.toThrow('Unable to start a transaction in the given time')
    release()
    await first
    await addProgram(db)
    const { rows } = await withServer(url, (client) => client.query('SELECT count(*)::int AS count FROM programs'))
    expect(rows).toEqual([{ count: 1 }])
    await db.$disconnect()
    await pool.end()
    await drop()
  },
)

async function openThrough(databaseUrl: string, options: { poolSize?: number; queryTimeoutMs?: number }) {
  const pool = createPool({ databaseUrl, poolSize: options.poolSize ?? 2, log })
  if (options.queryTimeoutMs) Object.assign(pool.options, { query_timeout: options.queryTimeoutMs })
  return { pool, db: new PrismaClient({ adapter: createPostgresAdapter(pool, log) }) }
}

async function addProgram(db: Pick<PrismaClient, 'program'>): Promise<void> {
  const at = new Date()
  const dates = { createdAt: at, updatedAt: at }
  await db.program.create({
    data: { id: mintId(at), name: 'p', url: 'u', currency: 'eur', ...programNames(), ...dates },
  })
}

async function endConnections(url: string): Promise<void> {
  await withServer(url, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    ),
  )
}
