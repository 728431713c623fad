import type { Logger } from 'pino'
import { openEmbedded } from '../embedded/open.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import { DatabaseClient } from '../postgres/client.ts'
import { parseDatabaseUrl } from '../postgres/open.ts'
import { poolWith } from '../seams/pg.ts'
import { type Effect, effectsOf } from './effects.ts'
import { readSchema } from './files.ts'
import { type Applied, findPending } from './migrate.ts'
import { embeddedTarget, postgresTarget } from './targets.ts'

export type PendingMigration = {
  name: string
  effects: (Effect & { rows: number; bytes: number })[]
  /** Whether it works on a table so large that it can take minutes, while others wait. */
  canTakeLong: boolean
}

export type UpgradeCheck = {
  version: string
  /** The version that last changed the schema. Null for an empty database, and for one of the first builds. */
  databaseVersion: string | null
  lastMigration: string | null
  pending: PendingMigration[]
  /** Whether functions, triggers and views are replaced. */
  replacesFunctions: boolean
  /** Settings that the version of the database did not know, or that this one does not know. Null if it noted none. */
  settings: { added: string[]; gone: string[] } | null
  /** Why this version cannot open the database. */
  problem: string | null
}

type Size = { name: string; rows: number; bytes: number }
type Options = { databaseUrl: string | undefined; databaseDirectUrl: string | undefined; dataDir: string; log: Logger }

const [manyRows, manyBytes] = [500_000, 500_000_000]

const sizes = `
  SELECT c.relname AS name, greatest(sum(p.reltuples), 0)::float8 AS rows, sum(pg_total_relation_size(p.oid))::float8 AS bytes
  FROM pg_class c JOIN LATERAL (
    SELECT c.oid, c.reltuples UNION ALL SELECT i.inhrelid, k.reltuples FROM pg_inherits i JOIN pg_class k ON k.oid = i.inhrelid WHERE i.inhparent = c.oid
  ) p ON true
  WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p') GROUP BY 1`

/**
 * What a start of this version would do to the database. Nothing is written. @throws OperatorError without a
 * connection
 */
export async function checkUpgrade(options: Options): Promise<UpgradeCheck> {
  const { applied, tables } = await readDatabase(options)
  const schema = readSchema()
  const done = new Set(applied.migrations.map(({ name }) => name))
  const isNew = applied.migrations.length === 0
  const problem = problemOf(() => findPending(schema, applied))
  const files = problem || isNew ? [] : schema.migrations.filter(({ name }) => !done.has(name))
  const pending = files.map(({ name, script }) => {
    const effects = effectsOf(script).map((effect) => {
      const { rows = 0, bytes = 0 } = tables.find(({ name }) => name === effect.table) ?? {}
      return { ...effect, rows, bytes }
    })
    const canTakeLong = effects.some(
      ({ does, rows, bytes }) => does !== 'locks' && (rows > manyRows || bytes > manyBytes),
    )
    return { name, effects, canTakeLong }
  })
  return {
    version: schema.version,
    databaseVersion: applied.sql?.version ?? null,
    lastMigration:
      applied.migrations
        .map(({ name }) => name)
        .sort()
        .at(-1) ?? null,
    pending,
    settings: settingsSince(applied.sql?.settings, schema.settings),
    replacesFunctions: !problem && !isNew && findPending(schema, applied) !== undefined,
    problem,
  }
}

function settingsSince(before: readonly string[] | undefined, now: readonly string[]): UpgradeCheck['settings'] {
  if (!before) return null
  return {
    added: now.filter((name) => !before.includes(name)),
    gone: before.filter((name) => !now.includes(name)),
  }
}

function problemOf(run: () => unknown): string | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof OperatorError) return describeCause(error)
    throw error
  }
}

async function readDatabase(options: Options): Promise<{ applied: Applied; tables: Size[] }> {
  const url = options.databaseDirectUrl ?? options.databaseUrl
  if (url === undefined) {
    const { pglite, close } = await openEmbedded(options)
    try {
      return { applied: await embeddedTarget(pglite).readApplied(), tables: (await pglite.query<Size>(sizes)).rows }
    } finally {
      await close()
    }
  }
  const applied = await postgresTarget(url).readApplied()
  const config = { ...parseDatabaseUrl(url), application_name: 'tributary upgrade check' }
  const pool = poolWith({ ...config, max: 1, connectionTimeoutMillis: 5_000 }, DatabaseClient)
  try {
    return { applied, tables: (await pool.query<Size>(sizes)).rows }
  } finally {
    await pool.end()
  }
}
