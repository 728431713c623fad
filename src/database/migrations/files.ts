import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { version as currentVersion, findPackageRoot } from '../../kernel/package-root.ts'
import { settingNames } from '../../kernel/setting-names.ts'

export type MigrationFile = { name: string; script: string; checksum: string }

export function findMigrationsFolder(): string {
  return join(findPackageRoot(), 'prisma', 'migrations')
}

/** What a version makes of a database: tables by its migrations, then functions, triggers and views by its SQL. */
export type Schema = { version: string; settings: readonly string[]; migrations: MigrationFile[]; sql: SqlFile[] }

export type SqlFile = { name: string; script: string; checksum: string }

export function readSchema(migrationsFolder: string = findMigrationsFolder(), version = currentVersion): Schema {
  const [migrations, sql] = [readMigrationFiles(migrationsFolder), readSqlFiles(migrationsFolder)]
  return { version, settings: settingNames, migrations, sql }
}

/** The migrations of this version in the order they are applied. The checksum is Prisma's. */
export function readMigrationFiles(folder: string = findMigrationsFolder()): MigrationFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, ...readScript(join(folder, name, 'migration.sql')) }))
}

/** The files of prisma/sql, beside the migrations, in the order they are applied. */
export function readSqlFiles(migrationsFolder: string = findMigrationsFolder()): SqlFile[] {
  const folder = join(dirname(migrationsFolder), 'sql')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, ...readScript(join(folder, name)) }))
}

function readScript(path: string): { script: string; checksum: string } {
  const script = readFileSync(path, 'utf8')
  return { script, checksum: createHash('sha256').update(script).digest('hex') }
}
