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
  /** Where the shadow database is made; in memory unless given. */
  factory?: SqlMigrationAwareDriverAdapterFactory
  files?: MigrationFile[]
  folder?: string
}

/**
 * The SQL that leads from the migrations to prisma/schema.prisma, or undefined when they agree. The migrations are run
 * on a shadow database, so what Prisma's schema can not say (CHECK constraints, triggers) is there and is left alone.
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
      shadowDatabaseUrl: null,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    })
    return exitCode === 0 ? undefined : (stdout ?? '')
  } finally {
    engine.free()
  }
}

function inMemoryFactory(): SqlMigrationAwareDriverAdapterFactory {
  // The engine asks its main database for the version alone, so one in memory is both that and the shadow.
  const pglite = new PGlite({ extensions })
  return createEmbeddedAdapter(pglite, async () => pglite)
}
