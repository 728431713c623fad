import { readdirSync, readFileSync } from 'node:fs'
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { openEmbedded } from '../../src/database/embedded/open.ts'
import { findMigrationsFolder, readMigrationFiles } from '../../src/database/migrations/files.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { embeddedTarget, postgresTarget } from '../../src/database/migrations/targets.ts'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createApp } from '../../src/server/app.ts'
import { adminToken, graphqlClient, restClient } from '../support/app.ts'
import { loadDump, makeTemporaryFolder } from '../support/data-directory.ts'
import { createPostgresClone, createTestDatabase, silentLog as log } from '../support/database.ts'

const folder = 'test/database/upgrade'
/** What the function least_id of the made-up later version returns. */
const later = '29990101-0000-7000-8000-000000000000'
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
      expect(await definitions(database)).toEqual(await definitionsOfNewDatabase())
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

  test('keeps its rows through a later migration, which a changed function comes with', async () => {
    const { options, drop } = await loadRelease(gunzipSync(readFileSync(join(folder, name))).toString('utf8'))
    const rows = await migrateAndRead(
      options,
      await makeLaterSchema(),
      `select (select count(*) from affiliates)::int as affiliates, (select count(*) from affiliates where surplus = 7)::int as migrated,
         (select count(*) from sales)::int as sales, least_id(now())::text as least`,
    )
    expect(rows).toEqual([{ affiliates: 20, migrated: 20, sales: expect.any(Number), least: later }])
    expect(rows).not.toMatchObject([{ sales: 0 }])
    await expect(openDatabase({ ...options, log })).rejects.toThrow(
      '29990101000000_later, which this version does not know',
    )
    await drop()
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

/** The text of functions, views and triggers, but for the triggers of partitions, which are copies. */
async function definitions({ db }: Pick<Database, 'db'>): Promise<unknown[]> {
  return await db.$queryRaw`
    select pg_get_functiondef(p.oid) as definition from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all select relname || pg_get_viewdef(oid) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
    union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
      where not tgisinternal and not relispartition
    order by 1`
}

async function definitionsOfNewDatabase(): Promise<unknown[]> {
  const database = await createTestDatabase()
  try {
    return await definitions(database)
  } finally {
    await database.drop()
  }
}

type Options = { dataDir: string; databaseUrl?: string }

async function migrateAndRead({ dataDir, databaseUrl }: Options, folder: string, sql: string): Promise<object[]> {
  if (databaseUrl) {
    await applyMigrations(postgresTarget(databaseUrl), { folder, log })
    const client = new pg.Client(databaseUrl)
    await client.connect()
    return (await client.query(sql).finally(() => client.end())).rows
  }
  const { pglite, close } = await openEmbedded({ dataDir, log })
  try {
    await applyMigrations(embeddedTarget(pglite), { folder, log })
    return (await pglite.query<object>(sql)).rows
  } finally {
    await close()
  }
}

/** The schema of a made-up later version: one more migration, and another text of a function. */
async function makeLaterSchema(): Promise<string> {
  const migrations = join(await makeTemporaryFolder(), 'migrations')
  await cp(dirname(findMigrationsFolder()), dirname(migrations), { recursive: true })
  await mkdir(join(migrations, '29990101000000_later'))
  await writeFile(
    join(migrations, '29990101000000_later', 'migration.sql'),
    'ALTER TABLE affiliates ADD COLUMN surplus int; UPDATE affiliates SET surplus = 7;',
  )
  await appendFile(
    join(dirname(migrations), 'sql', 'partitions.sql'),
    `CREATE OR REPLACE FUNCTION least_id(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
       SELECT '${later}'::uuid $$;`,
  )
  return migrations
}
