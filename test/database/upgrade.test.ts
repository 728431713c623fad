import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { readMigrationFiles } from '../../src/database/migration-files.ts'
import { openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createApp } from '../../src/server/app.ts'
import { adminToken, graphqlClient, restClient } from '../support/app.ts'
import { loadDump, makeTemporaryFolder } from '../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'

const folder = 'test/database/upgrade'
const dumps = readdirSync(folder).filter((name) => name.endsWith('.sql.gz'))

test('a dump exists for the release in package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(dumps).toContain(`${version}.sql.gz`)
})

describe.each(dumps)('the database of release %s', (name) => {
  test('opens with all migrations applied, passes the doctor and is readable', async () => {
    const { options, drop } = await loadRelease(gunzipSync(readFileSync(join(folder, name))).toString('utf8'))
    const database = await openDatabase({ ...options, log })
    const app = createApp({ database, adminToken, publicUrl: () => 'http://localhost:4000', log })
    try {
      const applied = await database.db.$queryRaw`SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1`
      expect(applied).toEqual(readMigrationFiles().map((file) => ({ name: file.name })))
      expect(await examine(database)).toEqual([])
      // The embedded database reads the types of arrays when it is opened, before migrations create more of them.
      const roles = ['owner', 'analyst']
      const isOne = await database.db.$queryRaw`SELECT 'owner'::member_role = any (${roles}::member_role[]) AS "isOne"`
      expect(isOne).toEqual([{ isOne: true }])

      const operator = graphqlClient(app.fetch, { Authorization: `Bearer ${adminToken}` })
      const { programs } = await operator('{ programs { id } }')
      const { createApiKey } = await operator(
        'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Upgrade" }) { secret } }',
        { id: programs[0].id },
      )
      const authorization = { Authorization: `Bearer ${createApiKey.secret}` }
      const affiliates = await restClient(app.fetch, authorization).get('/affiliates?limit=100')
      expect(affiliates.status).toBe(200)
      expect(affiliates.body.pagination.total_count).toBe(await database.db.affiliate.count())
      expect(affiliates.body.data.length).toBeGreaterThan(0)

      const { payouts } = await graphqlClient(
        app.fetch,
        authorization,
      )(
        '{ payouts(where: { state: { equals: PAID } }, first: 1) { nodes { amountCents commissions(first: 100) { nodes { amountCents } } } } }',
      )
      const [payout] = payouts.nodes
      expect(payout.commissions.nodes).not.toHaveLength(0)
      expect(payout.amountCents).toBe(sum(payout.commissions.nodes))
    } finally {
      app.stop()
      await database.close()
      await drop()
    }
  })
})

const sum = (rows: { amountCents: number }[]) => rows.reduce((total, { amountCents }) => total + amountCents, 0)

/** Loads the dump into an empty database: PostgreSQL with TEST_DATABASE_URL, else an embedded one. */
async function loadRelease(sql: string) {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  if (inject('databases').postgres) {
    const { url: databaseUrl, drop } = await createPostgresClone({ empty: true })
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query(sql).finally(() => client.end())
    return { options: { dataDir, databaseUrl }, drop }
  }
  await loadDump(dataDir, sql)
  return { options: { dataDir }, drop: async () => {} }
}
