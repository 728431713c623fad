import { expect, inject, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'

/** No server is there. */
const nobody = 'postgres://127.0.0.1:1/postgres'

it.skipIf(!inject('databases').postgres)(
  'replicas that are away, or are no standby, are left out: the primary answers, and is ready (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone()
    onTestFinished(drop)
    // The primary itself accepts writes, so it is no standby.
    const database = await openDatabase({ databaseUrl: url, databaseReplicaUrls: [nobody, url], dataDir: '', log })
    const read = () =>
      database.readFrom?.({ db: database.db }, async ({ db }) => (db === database.db ? await db.program.count() : null))
    const look = () => database.replicas?.().replicas.map(({ state, reads }) => ({ state, reads }))
    for (let n = 1; n <= 3; n += 1) {
      expect(await read()).toBe(0)
      expect(database.replicas?.().fallbacks).toEqual({ away: n, behind: 0, failed: 0 })
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(look()).toEqual([
      { state: 'away', reads: 0 },
      { state: 'away', reads: 0 },
    ])
    await database.ping()
    await database.close()
  },
)
