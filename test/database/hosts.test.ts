import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { readHosts } from '../../src/database/postgres/hosts.ts'
import { createPool, parseDatabaseUrl } from '../../src/database/postgres/open.ts'
import { silentLog as log } from '../support/database.ts'
import { canStartCluster, createCluster, giveToPostgres, startCluster } from '../support/postgres-cluster.ts'

test.each([
  ['postgres://u:p@h1/db', 'postgres://u:p@h1/db', []],
  ['postgres:///db?host=/run/postgresql', 'postgres:///db?host=/run/postgresql', []],
  ['postgres://h1/db?target_session_attrs=any', 'postgres://h1/db?target_session_attrs=any', []],
  ['postgres://h1/db?target_session_attrs=primary', 'postgres://h1/db?target_session_attrs=primary', ['h1 5432']],
  ['postgres://u:p,q@h1:1,h2:2/db?a=b', 'postgres://u:p,q@h1:1/db?a=b', ['h1 1', 'h2 2']],
  ['postgres://u@h1,[::1]:6000,%2Frun%2Fpg/db', 'postgres://u@h1/db', ['h1 5432', '::1 6000', '/run/pg 5432']],
])('%s is one address and these servers', (databaseUrl, url, hosts) => {
  const read = readHosts(databaseUrl)
  expect([read.url, read.hosts.map(({ host, port }) => `${host} ${port}`)]).toEqual([url, hosts])
})

test.each([
  ['postgres://h1:5432,/db', 'an empty server'],
  ['postgres://h1,h2:99999/db', 'the server "h2:99999"'],
  ['postgres://h1,h2:x/db', 'the server "h2:x"'],
  ['postgres://h1,h2/db?target_session_attrs=standby', 'use read-write'],
  ['postgres://h1,h2/db?port=5432', 'Write the servers before the database'],
])('the list of servers in %s is rejected', (databaseUrl, message) => {
  expect(() => parseDatabaseUrl(databaseUrl)).toThrow(message)
})

/** The address of the database on these servers. */
const onServers = (...urls: string[]): string =>
  `postgres://postgres@${urls.map((url) => new URL(url).host).join(',')}/postgres`

/** Servers are asked twice a second. A busy machine is slower. */
const soon = { timeout: 15_000 }

/** No server is there. */
const nobody = 'postgres://127.0.0.1:1/postgres'

const open = async (databaseUrl: string) => {
  const database = await openDatabase({ databaseUrl, dataDir: 'unused', log, poolSize: 2 })
  onTestFinished(database.close)
  return database
}

const portOf = async ({ db }: Awaited<ReturnType<typeof open>>): Promise<string> => {
  const [row] = await db.$queryRaw<[{ port: string }]>`select current_setting('port') as port`
  return row.port
}

describe.skipIf(!canStartCluster)('several servers (needs TEST_DATABASE_URL and the programs of PostgreSQL)', () => {
  it('skips servers that are unreachable or read-only, and says what each is if no server is left', async () => {
    const readOnly = await createCluster('-c default_transaction_read_only=on')
    onTestFinished(readOnly.remove)
    const failure = open(onServers(nobody, readOnly.url))
    await expect(failure).rejects.toThrow(
      /^Cannot use PostgreSQL at 127\.0\.0\.1:1,127\.0\.0\.1:\d+\/postgres: no database server accepts writes: 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\), 127\.0\.0\.1:\d+ \(accepts no writes\)/,
    )
    const writable = await startCluster()
    const database = await open(onServers(nobody, readOnly.url, writable.url))
    await database.ping()
    expect(await portOf(database)).toBe(new URL(writable.url).port)
  })

  it('leaves an old primary, which still accepts writes, for one that was promoted, and does not go back', async () => {
    const { old, promote } = await startOldPrimary()
    const database = await open(onServers(old.url, promote.url))
    expect(await portOf(database)).toBe(new URL(old.url).port)
    promote.start()
    await expect.poll(() => portOf(database).catch(() => null), soon).toBe(new URL(promote.url).port)
    // As if the failover had failed: writes to the old primary would be lost with it.
    promote.stop('immediate')
    await expect
      .poll(() => portOf(database).catch((error: Error) => error.message), soon)
      .toMatch(/does not respond|accepts writes/)
    promote.start()
    await expect.poll(() => portOf(database).catch(() => null), soon).toBe(new URL(promote.url).port)
  })

  it('turns away from a primary that became read-only, with 503 until it accepts writes again', async () => {
    const server = await startCluster()
    const database = await open(`${server.url}?target_session_attrs=read-write`)
    await server.run('ALTER SYSTEM SET default_transaction_read_only = on')
    await server.run('SELECT pg_reload_conf()')
    await expect.poll(() => portOf(database).catch((error: Error) => error.message), soon).toContain('accepts writes')
    await server.run('ALTER SYSTEM RESET default_transaction_read_only')
    await server.run('SELECT pg_reload_conf()')
    await expect.poll(() => portOf(database).catch(() => null), soon).toBe(new URL(server.url).port)
  })

  it('notices a silent primary also after a time without any', async () => {
    const server = await startCluster()
    const pool = createPool({ databaseUrl: `${server.url}?target_session_attrs=read-write`, log })
    onTestFinished(() => pool.end())
    server.stop('fast')
    // That no server accepts writes is an answer.
    expect(await pool.responds(5_000)).toBe(true)
    server.start()
    await expect
      .poll(
        () =>
          pool.query('select 1').then(
            ({ rowCount }) => rowCount,
            () => null,
          ),
        soon,
      )
      .toBe(1)
    server.freeze()
    expect(await pool.responds(1_000)).toBe(false)
    server.thaw()
  })
})

/** A primary, and a copy of it that is promoted when it starts. */
async function startOldPrimary() {
  const old = await startCluster()
  await (await openDatabase({ databaseUrl: old.url, dataDir: 'unused', log })).close()
  old.stop('fast')
  const promote = await createCluster('-c restore_command=false', (data) => {
    execFileSync('cp', ['-a', `${old.data}/.`, data])
    writeFileSync(join(data, 'recovery.signal'), '')
    giveToPostgres(data)
  })
  onTestFinished(promote.remove)
  promote.stop('fast')
  old.start()
  return { old, promote }
}
