import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackageRoot } from './package-root.ts'

export type MigrationFile = { name: string; script: string; checksum: string }

export function findMigrationsFolder(): string {
  return join(findPackageRoot(), 'prisma', 'migrations')
}

/** The migrations of this version in the order they are applied. The checksum is Prisma's. */
export function readMigrationFiles(folder: string = findMigrationsFolder()): MigrationFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const script = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') }
    })
}
