import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { createPool } from '../../src/database/postgres/open.ts'
import { checkSession, explainPooler } from '../../src/database/postgres/session.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'

const needsPostgres = !inject('databases').postgres

test.skipIf(needsPostgres)(
  'connections without the settings that were asked for are rejected, each by its name',
  async () => {
    const { url, drop } = await createPostgresClone()
    // As behind a pooler that ignores startup parameters.
    const pool = new pg.Pool({ connectionString: url, options: '-c TimeZone=Europe/Berlin' })
    const message = await checkSession(pool).catch((error: Error) => error.message)
    expect(message).toContain(`ALTER ROLE … SET TimeZone = 'UTC'; -- now Europe/Berlin`)
    expect(message).toMatch(/SET statement_timeout = '\d+'; -- now 0/)
    await pool.end()
    const own = createPool({ databaseUrl: url, poolSize: 1, log })
    await checkSession(own)
    await own.end()
    await (await openDatabase({ databaseUrl: url, dataDir: '', log })).close()
    await drop()
  },
)

/** Two connections that begin their transactions on one session. */
test.skipIf(needsPostgres)('connections that share a session are rejected', async () => {
  const { url, drop } = await createPostgresClone()
  const pool = createPool({ databaseUrl: url, log })
  const session = new pg.Client(url)
  await session.connect()
  const query = pg.Client.prototype.query
  // Both connections send to one session, as poolers in transaction mode do.
  pg.Client.prototype.query = ((...args: unknown[]) =>
    (query as (...all: unknown[]) => unknown).apply(session, args)) as typeof query
  try {
    await expect(checkSession(pool)).rejects.toThrow('is in transaction mode. Set DATABASE_DIRECT_URL')
  } finally {
    pg.Client.prototype.query = query
  }
  await session.end()
  await pool.end()
  await drop()
})

test('a pooler that rejects the settings of sessions is explained', () => {
  expect(explainPooler('unsupported startup parameter: statement_timeout')).toContain('set them for the role')
  expect(explainPooler('connect ECONNREFUSED')).toBeNull()
})
