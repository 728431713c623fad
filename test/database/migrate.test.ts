import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { findMigrationsFolder, readMigrationFiles } from '../../src/database/migrations/files.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { diffMigrations } from '../../src/database/migrations/schema-diff.ts'
import { embeddedTarget } from '../../src/database/migrations/targets.ts'
import { openDatabase } from '../../src/database/open.ts'
import { OperatorError } from '../../src/database/operator-error.ts'
import { makeTemporaryFolder, startChild } from '../support/data-directory.ts'
import { createEmptyPGlite, createPostgresClone, createTestDatabase, silentLog as log } from '../support/database.ts'
import { createShadowFactory } from '../support/postgres-shadow.ts'

const withoutPostgres = !process.env.TEST_DATABASE_URL

async function makeMigrations(scripts: Record<string, string>): Promise<string> {
  const folder = join(await makeTemporaryFolder(), 'migrations')
  for (const [name, script] of Object.entries(scripts)) await addMigration(folder, name, script)
  return folder
}

async function addMigration(folder: string, name: string, script: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'migration.sql'), script)
}

const first = { '20260101000000_first': 'CREATE TABLE a (id int);' }
const scriptWithFunction = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no; not ever'; END; $$;
CREATE TRIGGER a_refuses BEFORE UPDATE ON a FOR EACH ROW EXECUTE FUNCTION refuse();`

test('migrations are applied in order, once, and recorded as Prisma records them', async () => {
  const pglite = await createEmptyPGlite()
  const folder = await makeMigrations({ '20260102000000_second': scriptWithFunction, ...first })
  const names = ['20260101000000_first', '20260102000000_second']
  expect(await applyMigrations(embeddedTarget(pglite), { folder, log })).toEqual(names)
  expect(await applyMigrations(embeddedTarget(pglite), { folder, log })).toEqual([])
  const { rows } = await pglite.query('SELECT * FROM _prisma_migrations ORDER BY started_at')
  expect(rows).toEqual(
    readMigrationFiles(folder).map(({ name, checksum }) => ({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum,
      migration_name: name,
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    })),
  )
  await pglite.close()
})

test('one line is logged with the number and the names of the migrations, and none if there is nothing to do', async () => {
  const pglite = await createEmptyPGlite()
  const folder = await makeMigrations({ '20260102000000_second': scriptWithFunction, ...first })
  const lines: string[] = []
  const noting = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  await applyMigrations(embeddedTarget(pglite), { folder, log: noting })
  await applyMigrations(embeddedTarget(pglite), { folder, log: noting })
  const msg = 'migrations applied'
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 30, count: 2, migrations: ['20260101000000_first', '20260102000000_second'], msg },
  ])
  await pglite.close()
})

test('a failed migration is reported with its name and cause, rolled back, and applied by the next run', async () => {
  const pglite = await createEmptyPGlite()
  const folder = await makeMigrations({ ...first, '20260102000000_bad': 'CREATE TABLE b (id int); SELECT 1 / 0;' })
  await expect(applyMigrations(embeddedTarget(pglite), { folder, log })).rejects.toThrow(
    /^The migration 20260102000000_bad failed and was rolled back: .*division by zero/,
  )
  const { rows } = await pglite.query(`SELECT to_regclass('a') IS NOT NULL AS a, to_regclass('b') IS NOT NULL AS b`)
  expect(rows).toEqual([{ a: true, b: false }])
  await addMigration(folder, '20260102000000_bad', 'CREATE TABLE b (id int);')
  expect(await applyMigrations(embeddedTarget(pglite), { folder, log })).toEqual(['20260102000000_bad'])
  await pglite.close()
})

test.each([
  [
    'changed after it was applied',
    { '20260101000000_first': 'CREATE TABLE changed (id int);' },
    '',
    /^The migration 20260101000000_first was changed after it was applied/,
  ],
  [
    'created by a newer version',
    { '20250101000000_before': '' },
    '',
    /20260101000000_first, which this version does not know: a newer version migrated it/,
  ],
  [
    'created by a version whose migrations were replaced',
    { '20260103000000_third': '' },
    '',
    /20260101000000_first, which this version does not know: it is older than .* 20260103000000_third.*Run the version that made it/,
  ],
  [
    'left unfinished by another tool',
    first,
    'UPDATE _prisma_migrations SET finished_at = NULL',
    /left unfinished.*prisma migrate resolve --rolled-back 20260101000000_first/,
  ],
])('a migration that was %s is rejected with an instruction', async (_, scripts, sql, message) => {
  const pglite = await createEmptyPGlite()
  await applyMigrations(embeddedTarget(pglite), { folder: await makeMigrations(first), log })
  await pglite.exec(sql)
  const failure = applyMigrations(embeddedTarget(pglite), { folder: await makeMigrations(scripts), log })
  await expect(failure).rejects.toThrow(message)
  await expect(failure).rejects.toBeInstanceOf(OperatorError)
  await pglite.close()
})

test('the migrations match the schema, and a generated migration keeps what was written by hand', async () => {
  expect(await diffMigrations()).toBeUndefined()
  const folder = join(await makeTemporaryFolder(), 'migrations')
  await cp(findMigrationsFolder(), folder, { recursive: true })
  await addMigration(
    folder,
    '29990101000000_by_hand',
    `ALTER TABLE programs ADD COLUMN surplus int CHECK (surplus > 0);`,
  )
  expect(await diffMigrations({ folder })).toMatch(/^-- AlterTable\nALTER TABLE "programs" DROP COLUMN "surplus";\s*$/)
})

test.skipIf(withoutPostgres)('the migrations match the schema on PostgreSQL (needs TEST_DATABASE_URL)', async () => {
  const { url, drop } = await createPostgresClone({ empty: true })
  expect(await diffMigrations({ factory: createShadowFactory(url) })).toBeUndefined()
  await drop()
})

test('the partial indexes exist and are partial', async () => {
  const { db, drop } = await createTestDatabase({ isOwn: true })
  const indexes =
    await db.$queryRaw`SELECT indexname FROM pg_indexes WHERE indexdef LIKE '% WHERE %' AND schemaname = 'public'
      AND tablename NOT IN (SELECT name FROM table_partitions) ORDER BY 1`
  expect(indexes).toEqual([
    { indexname: 'affiliate_group_memberships_present' },
    { indexname: 'analytics_deltas_program_id_customer_id_idx' },
    { indexname: 'campaigns_one_default_per_program' },
    { indexname: 'changes_of_people' },
    { indexname: 'commissions_awaiting_payout' },
    { indexname: 'commissions_by_rule' },
    { indexname: 'commissions_due_to_be_noted' },
    { indexname: 'commissions_held' },
    { indexname: 'commissions_one_credit_per_refund' },
    { indexname: 'commissions_one_debt_per_refund' },
    { indexname: 'commissions_one_earned_per_sale' },
    { indexname: 'commissions_one_per_external_id' },
    { indexname: 'commissions_program_id_corrects_sale_id_idx' },
    { indexname: 'commissions_program_id_payment_id_idx' },
    { indexname: 'commissions_program_id_refund_id_idx' },
    { indexname: 'commissions_program_id_voided_at_idx' },
    { indexname: 'commissions_with_lines' },
    { indexname: 'feed_events_to_be_derived' },
    { indexname: 'invoices_are_cancelled_once' },
    { indexname: 'invoices_one_of_a_statement' },
    { indexname: 'mails_to_be_sent' },
    { indexname: 'money_events_of_people' },
    { indexname: 'money_events_program_id_refund_id_idx' },
    { indexname: 'payout_run_items_failed' },
    { indexname: 'payout_run_items_of_batch' },
    { indexname: 'payout_run_items_one_open_per_payout' },
    { indexname: 'payout_run_items_open' },
    { indexname: 'payout_runs_next_step' },
    { indexname: 'payouts_one_open_per_affiliate_and_currency' },
    { indexname: 'payouts_payable' },
    { indexname: 'payouts_search_reference' },
    { indexname: 'programs_deleted_at_idx' },
    { indexname: 'referrals_program_id_became_conversion_at_idx' },
    { indexname: 'referrals_program_id_became_lead_at_idx' },
    { indexname: 'referrals_to_be_counted' },
    { indexname: 'referrals_to_expire' },
    { indexname: 'referrals_with_sub' },
    { indexname: 'statement_keys_one_signs' },
    { indexname: 'tax_profiles_one_applies' },
    { indexname: 'unattributed_sales_to_decide' },
    { indexname: 'webhook_deliveries_to_be_sent' },
  ])
  await drop()
})

test("every migration has Prisma's name format, and the lock file names postgresql", async () => {
  for (const { name } of readMigrationFiles()) expect(name).toMatch(/^\d{14}_[a-z0-9_]+$/)
  expect(await readFile(join(findMigrationsFolder(), 'migration_lock.toml'), 'utf8')).toContain(
    'provider = "postgresql"',
  )
})

test.skipIf(withoutPostgres)(
  'five processes that start concurrently on an empty database all start, and migrate it once (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone({ empty: true })
    const children = Array.from({ length: 5 }, () => startChild('test/support/writer.ts', [], { DATABASE_URL: url }))
    expect(await Promise.all(children.map((child) => child.waitFor('')))).toEqual(Array(5).fill('ready'))
    for (const child of children) child.process.kill('SIGTERM')
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query('SELECT migration_name FROM _prisma_migrations')
    await client.end()
    expect(rows).toHaveLength(readMigrationFiles().length)
    await Promise.all(children.map((child) => child.exited))
    await drop()
  },
)

test.skipIf(withoutPostgres)(
  'on PostgreSQL a failed migration is rolled back, and functions may contain semicolons (needs TEST_DATABASE_URL)',
  async () => {
    const { postgresTarget } = await import('../../src/database/migrations/targets.ts')
    const { url, drop } = await createPostgresClone({ empty: true })
    const folder = await makeMigrations({ ...first, '20260102000000_second': scriptWithFunction })
    await addMigration(folder, '20260103000000_bad', 'CREATE TABLE b (id int); SELECT 1 / 0;')
    await expect(applyMigrations(postgresTarget(url), { folder, log })).rejects.toThrow(
      /^The migration 20260103000000_bad failed and was rolled back: .*division by zero/,
    )
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(
      `SELECT to_regclass('b') IS NULL AS clean, (SELECT count(*)::int FROM _prisma_migrations) AS recorded`,
    )
    expect(rows).toEqual([{ clean: true, recorded: 2 }])
    await client.query('INSERT INTO a VALUES (1)')
    await expect(client.query('UPDATE a SET id = 2')).rejects.toThrow('no; not ever')
    await client.end()
    await drop()
  },
)

test.skipIf(withoutPostgres)(
  'a second start on PostgreSQL is ready within 3 seconds (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresClone()
    const startedAt = Date.now()
    const child = startChild('test/support/writer.ts', [], { DATABASE_URL: url })
    await child.waitFor('ready')
    expect(Date.now() - startedAt).toBeLessThan(3_000)
    child.process.kill('SIGTERM')
    await child.exited
    await (await openDatabase({ databaseUrl: url, dataDir: 'unused', log })).close()
    await drop()
  },
)
