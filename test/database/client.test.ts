import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isUnavailable } from '../../src/database/client/errors.ts'
import { statement } from '../../src/database/client/sql.ts'
import { createPool } from '../../src/database/postgres/open.ts'
import { createPostgresSql } from '../../src/database/postgres/sql.ts'
import type { SqlDatabase } from '../../src/kernel/db.ts'
import { silentLog as log } from '../support/database.ts'
import { canStartCluster, createCluster } from '../support/postgres-cluster.ts'

const insert = statement('insert into kept values (1)')

const writes: Record<string, (sql: SqlDatabase) => Promise<unknown>> = {
  'a statement alone': (sql) => sql.query(insert),
  'a transaction': (sql) => sql.transaction((tx) => tx.query(insert)),
  'a statement that is sent with the commit': (sql) => sql.transaction((tx) => tx.defer(insert)),
}

test.skipIf(!canStartCluster)(
  'a commit that no standby has confirmed is not reported as done, also if the server ceases to wait (needs TEST_DATABASE_URL)',
  async () => {
    const cluster = await createCluster('-c synchronous_standby_names=nobody')
    onTestFinished(cluster.remove)
    await cluster.run('set synchronous_commit = local; create table kept (number int)')
    const pool = createPool({ databaseUrl: cluster.url, poolSize: 2, log })
    const sql = createPostgresSql(pool, log)
    const cancelling = (async () => {
      for (;;) {
        await cluster.run(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
        await pause(50)
      }
    })()
    cancelling.catch(() => {})
    for (const [name, write] of Object.entries(writes)) {
      const failure = await write(sql).catch((error) => error)
      expect(failure, name).toMatchObject({ message: 'the commit was not confirmed by a standby' })
      expect(isUnavailable(failure), name).toBe(true)
    }
    // Each did happen on this server: a failover would have lost it.
    expect((await pool.query('select count(*)::int as count from kept')).rows).toEqual([{ count: 3 }])
    await pool.end()
  },
)
