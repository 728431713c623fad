import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { pino } from 'pino'
import { findPackageRoot } from '../../kernel/package-root.ts'
import { createEmbeddedAdapter } from '../embedded/adapter.ts'
import { extensions } from '../embedded/extensions.ts'
import { findMigrationsFolder, type MigrationFile, readMigrationFiles, readSqlFiles } from './files.ts'
import { applyMigrations } from './migrate.ts'
import { createSchemaEngine, toMigrationList } from './schema-engine.ts'
import { embeddedTarget } from './targets.ts'

export type DiffOptions = {
  factory?: SqlMigrationAwareDriverAdapterFactory
  files?: MigrationFile[]
  folder?: string
}

/** The SQL from the migrations to prisma/schema.prisma, by a shadow database; undefined if they match. */
export async function diffMigrations(options: DiffOptions = {}): Promise<string | undefined> {
  const { factory = inMemoryFactory(), folder = findMigrationsFolder(), files = readMigrationFiles(folder) } = options
  const path = join(findPackageRoot(), 'prisma', 'schema.prisma')
  const content = readFileSync(path, 'utf8')
  const { engine } = await createSchemaEngine(factory, [[path, content]])
  try {
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'migrations', ...toMigrationList(folder, files) },
      to: { tag: 'schemaDatamodel', files: [{ path, content }] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    })
    return exitCode === 0 ? undefined : (stdout ?? '')
  } finally {
    engine.free()
  }
}

function inMemoryFactory(): SqlMigrationAwareDriverAdapterFactory {
  // The engine only reads the version of its main database, so one database serves as main and as shadow.
  const pglite = new PGlite({ extensions })
  return createEmbeddedAdapter(pglite, async () => pglite)
}

type Named = { kind: string; name: string; table: string | null }

/** The functions, triggers, views and policies of a new database that no file of prisma/sql names. */
export async function findUnwritten(folder: string = findMigrationsFolder()): Promise<string[]> {
  const pglite = new PGlite({ extensions })
  await applyMigrations(embeddedTarget(pglite), { folder, log: pino({ level: 'silent' }) })
  const written = readSqlFiles(folder)
    .map(({ script }) => script)
    .join('\n')
  await pglite.exec(`create role of_check; select protect_tenant_tables('of_check')`)
  const { rows } = await pglite.query<Named>(listNames)
  await pglite.close()
  return rows.filter((row) => !isIn(written, row)).map(({ kind, name, table }) => [kind, name, table].join(' ').trim())
}

const listNames = `
  select 'function' as kind, proname as name, null as table from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union select 'view', relname, null from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
  union select 'trigger', tgname, relname from pg_trigger join pg_class c on c.oid = tgrelid
    where not tgisinternal and not relispartition
  union select 'policy', polname, null from pg_policy
  order by 1, 2, 3`

function isIn(written: string, { kind, name, table }: Named): boolean {
  if (kind === 'policy') return written.includes(`'${name}'`)
  const statement = `CREATE OR REPLACE ${kind.toUpperCase()} ${name}\\b`
  return new RegExp(table ? `${statement}[^;]* ON ${table}\\s` : statement).test(written)
}
