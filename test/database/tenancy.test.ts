import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The tables that are of no program: people and their sessions, keys of requests that may name none, the history of the
 * installation, the check of its key, what to delete in its bucket, and Prisma's own table. */
const ofNoProgram = [
  ...['_prisma_migrations', 'encryption_checks', 'idempotency_keys', 'installation_changes'],
  ...['people', 'person_accounts', 'person_sessions', 'person_verifications'],
  ...['programs', 'second_factors', 'sign_in_attempts', 'stray_objects'],
]

/** Written by the database together with rows that reference the program. A sale writes up to 20 of them. */
const derived = [
  'affiliate_measure_deltas',
  'affiliate_measures',
  'analytics_deltas',
  'event_states',
  'events',
  'feed_objects',
  'list_deltas',
  'webhook_queue',
]

/** The tables that have rows of a program: all except those above. */
const listTenantTables = async () => {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE a.attname = 'program_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1`
  return rows.map(({ name }) => name)
}

test('every table except those of people has a program_id', async () => {
  const all = await database.db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1`
  const names = all.map(({ name }) => name).filter((name) => !ofNoProgram.includes(name))
  expect(names.length).toBeGreaterThan(5)
  expect(await listTenantTables()).toEqual(names)
})

test('program_id comes first in every primary key and every unique index', async () => {
  const indexes = await database.db.$queryRaw<{ table: string; index: string; first: string; primary: boolean }[]>`
    SELECT c.relname::text AS table, i.indexrelid::regclass::text AS index, i.indisprimary AS primary,
      (SELECT attname::text FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = i.indkey[0]) AS first
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE i.indisunique AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND c.relname != ALL(${ofNoProgram})`
  expect(indexes.filter(({ first }) => first !== 'program_id')).toEqual([])
  const withPrimaryKey = indexes.filter(({ primary }) => primary).map(({ table }) => table)
  expect(withPrimaryKey.sort()).toEqual(await listTenantTables())
})

test('every foreign key between tables of a program has program_id at the same position on both sides', async () => {
  const keys = await database.db.$queryRaw<
    { name: string; source: string; own: string[]; other: string[]; target: string }[]
  >`
    SELECT k.conname::text AS name, k.conrelid::regclass::text AS source, k.confrelid::regclass::text AS target,
      ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(n, o)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY u.o) AS own,
      ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(n, o)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY u.o) AS other
    FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = 'public'::regnamespace`
  const between = keys.filter(({ target }) => !ofNoProgram.includes(target))
  expect(between.length).toBeGreaterThan(10)
  const violations = between.filter(({ own, other }) => {
    const position = own.indexOf('program_id')
    return position === -1 || other.indexOf('program_id') !== position
  })
  expect(violations).toEqual([])
  const toPeople = keys.filter(
    ({ source, target }) => !ofNoProgram.includes(source) && target !== 'programs' && ofNoProgram.includes(target),
  )
  expect(toPeople.map(({ source, own }) => [source, own]).sort()).toEqual([
    ['connected_apps', ['person_id']],
    ['members', ['person_id']],
    ['saved_queries', ['person_id']],
    ['saved_views', ['person_id']],
  ])
  const toProgram = keys.filter(({ target }) => target === 'programs')
  const tables = (await listTenantTables()).filter((name) => !derived.includes(name))
  expect(toProgram.map(({ source, own }) => [source, own]).sort()).toEqual(tables.map((name) => [name, ['program_id']]))
})
