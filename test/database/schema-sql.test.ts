import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findMigrationsFolder } from '../../src/database/migrations/files.ts'
import { applyMigrations, type MigrationTarget } from '../../src/database/migrations/migrate.ts'
import { findUnwritten } from '../../src/database/migrations/schema-diff.ts'
import { embeddedTarget, postgresTarget } from '../../src/database/migrations/targets.ts'
import { makeTemporaryFolder } from '../support/data-directory.ts'
import { createEmptyPGlite, createPostgresClone, silentLog as log } from '../support/database.ts'

type Opened = { target: MigrationTarget; query(sql: string): Promise<object[]> }

/** An empty database: PostgreSQL with TEST_DATABASE_URL, else an embedded one. */
async function openEmpty(): Promise<Opened> {
  if (!inject('databases').postgres) {
    const pglite = await createEmptyPGlite()
    onTestFinished(() => pglite.close())
    return { target: embeddedTarget(pglite), query: async (sql) => (await pglite.query<object>(sql)).rows }
  }
  const { url, drop } = await createPostgresClone({ empty: true })
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end().then(drop))
  return { target: postgresTarget(url), query: async (sql) => (await client.query(sql)).rows }
}

const returning = (name: string, value: number) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS int LANGUAGE sql AS $$ SELECT ${value}; $$;`

/** Writes migrations and, beside them, files of SQL. Returns the folder of the migrations. */
async function makeSchema(migrations: string[], sql: Record<string, string>): Promise<string> {
  const folder = join(await makeTemporaryFolder(), 'migrations')
  for (const [index, script] of migrations.entries()) {
    const migration = join(folder, `2026010${index + 1}000000_made_up`)
    await mkdir(migration, { recursive: true })
    await writeFile(join(migration, 'migration.sql'), script)
  }
  await mkdir(join(dirname(folder), 'sql'))
  for (const [name, script] of Object.entries(sql)) await writeFile(join(dirname(folder), 'sql', name), script)
  return folder
}

/** Applies a schema and returns which files of SQL it applied. */
async function filesApplied(target: MigrationTarget, folder: string, version?: string): Promise<string[]> {
  const lines: string[] = []
  const noting = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  await applyMigrations(target, { folder, version, log: noting })
  return lines.map((line) => JSON.parse(line)).flatMap(({ files }) => files ?? [])
}

const table = 'CREATE TABLE a (id int);'

test('files are applied in the order of their names, once, and again when their text has changed', async () => {
  const { target, query } = await openEmpty()
  const files = { 'b.sql': `${returning('b', 1)} SELECT a();`, 'a.sql': returning('a', 1) }
  expect(await filesApplied(target, await makeSchema([table], files))).toEqual(['a.sql', 'b.sql'])
  expect(await filesApplied(target, await makeSchema([table], files))).toEqual([])
  const changed = await makeSchema([table], { ...files, 'a.sql': returning('a', 2) })
  expect(await filesApplied(target, changed)).toEqual(['a.sql'])
  expect(await filesApplied(target, changed)).toEqual([])
  expect(await query('SELECT a(), b()')).toEqual([{ a: 2, b: 1 }])
})

test('after a migration all files are applied, because it may have dropped what they have', async () => {
  const { target, query } = await openEmpty()
  const view = { 'a.sql': 'CREATE OR REPLACE VIEW seen AS SELECT id FROM a;' }
  await filesApplied(target, await makeSchema([table], view))
  const second = 'DROP VIEW seen; ALTER TABLE a ALTER id TYPE bigint;'
  expect(await filesApplied(target, await makeSchema([table, second], view))).toEqual(['a.sql'])
  expect(await query('SELECT id FROM seen')).toEqual([])
})

test('an older version leaves what a newer one has applied, without a migration between them', async () => {
  const { target, query } = await openEmpty()
  const schemaOf = (value: number) => makeSchema([table], { 'a.sql': returning('a', value) })
  expect(await filesApplied(target, await schemaOf(9), '0.9.0')).toEqual(['a.sql'])
  expect(await filesApplied(target, await schemaOf(10), '0.10.0')).toEqual(['a.sql'])
  expect(await filesApplied(target, await schemaOf(9), '0.9.0')).toEqual([])
  expect(await query('SELECT a()')).toEqual([{ a: 10 }])
  expect(await filesApplied(target, await schemaOf(11), '0.11.0')).toEqual(['a.sql'])
})

test('a file that fails is named, and rolled back with the last migration', async () => {
  const { target, query } = await openEmpty()
  const folder = await makeSchema([table, 'CREATE TABLE b (id int);'], {
    'a.sql': returning('a', 1),
    'b.sql': 'SELECT 1 / 0;',
  })
  await expect(applyMigrations(target, { folder, log })).rejects.toThrow(
    /^prisma\/sql\/b.sql failed and was rolled back: .*division by zero/,
  )
  expect(
    await query(`SELECT to_regclass('a') IS NULL AS a, to_regclass('b') IS NULL AS b, to_regproc('a') IS NULL AS f`),
  ).toEqual([{ a: false, b: true, f: true }])
})

test('the check names what only a migration makes', async () => {
  const folder = join(await makeTemporaryFolder(), 'migrations')
  await cp(dirname(findMigrationsFolder()), dirname(folder), { recursive: true })
  await mkdir(join(folder, '29990101000000_by_hand'))
  const script = `${returning('surplus', 1)} CREATE VIEW surplus_view AS SELECT 1 AS one;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END; $$;
    CREATE TRIGGER changes_append_only BEFORE UPDATE ON programs EXECUTE FUNCTION refuse();`
  await writeFile(join(folder, '29990101000000_by_hand', 'migration.sql'), script)
  expect(await findUnwritten(folder)).toEqual([
    'function refuse',
    'function surplus',
    'trigger changes_append_only programs',
    'view surplus_view',
  ])
})
