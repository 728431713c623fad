import { connect as connectTcp, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { isUnavailable } from '../../src/database/errors.ts'
import { openDatabase } from '../../src/database/open.ts'
import { checkServer, createPool, parseDatabaseUrl } from '../../src/database/postgres.ts'
import { limits } from '../../src/database/timeouts.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'
import { withServer } from '../support/global-setup.ts'
import { programNames } from '../support/program-names.ts'

const withoutPostgres = !process.env.TEST_DATABASE_URL

test('each timeout is shorter than the one that encloses it', () => {
  const order = [limits.lockMs, limits.statementMs, limits.transactionMs, limits.queryMs, 30_000]
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

test('connecting to a server that accepts but does not respond times out', { timeout: 10_000 }, async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const failure = openDatabase({ databaseUrl: `postgres://a@127.0.0.1:${port}/x`, dataDir: 'unused', log })
  await expect(failure).rejects.toThrow(/^Cannot use PostgreSQL at 127\.0\.0\.1:.*timeout/)
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
    proxy.close()
    await drop()
  },
)

async function endConnections(url: string): Promise<void> {
  await withServer(url, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    ),
  )
}

async function startProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connectTcp({ host: target.hostname, port: Number(target.port || 5432) })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const proxied = new URL(url)
  proxied.hostname = '127.0.0.1'
  proxied.port = String((proxy.address() as { port: number }).port)
  return {
    url: proxied.href,
    freeze: () => sockets.forEach((socket) => void socket.unpipe().pause()),
    thaw: () => sockets.forEach((socket) => void socket.resume()),
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
