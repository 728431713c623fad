// Writes the database of a release as SQL: its schema, and a part of the demo program as this version stores it.
//
//   npx tsx scripts/release-dump.ts
//
// Run it once for each release, after the version in package.json was raised, and commit the file that it writes:
// test/database/upgrade/VERSION.sql.gz. From then on test/database/upgrade.test.ts opens that database with every later
// version. The script never replaces a file. If a release was not published, delete its file and run the script again.
//
// The SQL runs on PostgreSQL and on the embedded database. It needs a superuser, to turn the triggers off.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { pino } from 'pino'
import { copyRows } from '../src/database/client/write.ts'
import { extensions } from '../src/database/embedded/extensions.ts'
import { readSchema } from '../src/database/migrations/files.ts'
import { applyMigrations } from '../src/database/migrations/migrate.ts'
import { embeddedTarget } from '../src/database/migrations/targets.ts'
import { connectEmbedded } from '../src/database/open.ts'
import { findPackageRoot } from '../src/kernel/package-root.ts'
import { foldDeltas } from '../src/modules/analytics/fold.ts'
import { buildDemo } from '../src/modules/demo/build.ts'
import type { Rows } from '../src/modules/demo/rows.ts'

/** A fixed time, so that the demo program is the same in each run. */
const now = new Date('2026-03-10T12:00:00Z')
const migrationsTable = '_prisma_migrations'

const root = findPackageRoot()
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const file = join(root, 'test', 'database', 'upgrade', `${version}.sql.gz`)
if (existsSync(file)) {
  console.error(`${file} exists. Raise the version in package.json, or delete the file if it was never released.`)
  process.exit(1)
}

const pglite = await PGlite.create({ extensions })
await applyMigrations(embeddedTarget(pglite), { log: pino({ level: 'silent' }) })
const { db } = await connectEmbedded(pglite, async () => {})
const rows = rowsOfFirstAffiliates(buildDemo({ now, seed: 1 }), 20)
await db.$transaction(
  async (tx) => {
    for (const [table, tableRows] of Object.entries(rows)) await copyRows(tx, table, tableRows)
  },
  { timeout: 60_000 },
)
await foldDeltas(db)
const sql = await dump(pglite)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, gzipSync(sql, { level: 9 }))
console.log(`Wrote ${file}.`)
// The in-memory engine keeps the process alive.
process.exit()

/** The whole demo program would be ten times as large, and would show no more. */
function rowsOfFirstAffiliates(rows: Rows, count: number): Rows {
  const ids = new Set(rows.affiliates.slice(0, count).map(({ id }) => id))
  const isKept = ({ affiliateId }: { affiliateId: string }) => ids.has(affiliateId)
  const referrals = rows.referrals.filter(isKept)
  const sales = rows.sales.filter(isKept)
  const commissions = rows.commissions.filter(isKept)
  const idsOf = (kept: { id: string }[]) => new Set(kept.map(({ id }) => id))
  const [saleIds, commissionIds] = [idsOf(sales), idsOf(commissions)]
  const customerIds = new Set(referrals.map(({ customerId }) => customerId))
  return {
    ...rows,
    affiliates: rows.affiliates.filter(({ id }) => ids.has(id)),
    affiliate_links: rows.affiliate_links.filter(isKept),
    affiliate_coupons: rows.affiliate_coupons.filter(isKept),
    customers: rows.customers.filter(({ id }) => customerIds.has(id)),
    referrals,
    sales,
    commissions,
    refunds: rows.refunds.filter(({ saleId }) => saleIds.has(saleId)),
    money_events: rows.money_events.filter(({ commissionId }) => commissionIds.has(commissionId)),
    payouts: rows.payouts.filter(isKept),
  }
}

async function dump(from: PGlite): Promise<string> {
  // One transaction for each migration, because a new enum value can be used only after a commit.
  const { migrations, sql } = readSchema()
  const tables = await listTables(from)
  const inserts = await Promise.all(tables.map((table) => insertStatement(from, table)))
  return [
    ...[...migrations, ...sql].map(({ script }) => `BEGIN;\n${script}\nCOMMIT;\n`),
    await createMigrationsTable(from),
    // The rollups hold what the triggers would add once more.
    'BEGIN;\nSET LOCAL session_replication_role = replica;\n',
    ...inserts,
    await setSequences(from),
    'COMMIT;\n',
  ].join('\n')
}

async function listTables(from: PGlite): Promise<string[]> {
  const { rows } = await from.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/** Prisma's migration engine creates this table; no migration file does. Its comment says which files of prisma/sql were applied. */
async function createMigrationsTable(from: PGlite): Promise<string> {
  const { rows } = await from.query<{ definition: string }>(
    `SELECT format('%I %s%s%s', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN ' NOT NULL' END,
       ' DEFAULT ' || pg_get_expr(adbin, adrelid)) AS definition
     FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attrelid = $1::regclass AND attnum > 0 ORDER BY attnum`,
    [migrationsTable],
  )
  const columns = rows.map(({ definition }) => definition)
  const create = `CREATE TABLE ${migrationsTable} (\n  ${[...columns, 'PRIMARY KEY (id)'].join(',\n  ')}\n);\n`
  const comments = await from.query<{ sql: string }>(
    `SELECT format('COMMENT ON TABLE %I IS %L;', $1::text, obj_description($1::regclass, 'pg_class')) AS sql`,
    [migrationsTable],
  )
  return create + comments.rows.map(({ sql }) => `${sql}\n`).join('')
}

/** PostgreSQL writes and reads the JSON, so 64-bit integers stay exact. */
async function insertStatement(from: PGlite, table: string): Promise<string> {
  const { rows } = await from.query<{ json: string | null }>(
    `SELECT string_agg(to_json(t)::text, E',\n' ORDER BY to_json(t)::text) AS json FROM "${table}" t`,
  )
  const json = rows[0]?.json
  if (!json) return ''
  return `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $rows$[\n${json}\n]$rows$);\n`
}

async function setSequences(from: PGlite): Promise<string> {
  const { rows } = await from.query<{ sql: string }>(
    `SELECT format('SELECT setval(%L, %s);', quote_ident(sequencename), last_value) AS sql
     FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  )
  return rows.map((row) => `${row.sql}\n`).join('')
}
