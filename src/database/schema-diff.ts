import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { createEmbeddedAdapter } from './embedded-adapter.ts'
import { extensions } from './extensions.ts'
import { findMigrationsFolder, type MigrationFile, readMigrationFiles } from './migration-files.ts'
import { findPackageRoot } from './package-root.ts'
import { createSchemaEngine, toMigrationList } from './schema-engine.ts'

export type DiffOptions = {
  /** Creates the shadow database. Default: in memory. */
  factory?: SqlMigrationAwareDriverAdapterFactory
  files?: MigrationFile[]
  folder?: string
}

/**
 * The SQL from the migrations to prisma/schema.prisma; undefined if they match. Migrations run on a shadow database, so
 * objects that Prisma's schema cannot express are kept.
 */
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
