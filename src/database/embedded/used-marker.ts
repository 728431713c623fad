import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { commandLine } from '../../kernel/package-root.ts'
import { OperatorError } from '../operator-error.ts'
import { syncPath } from './durable-fs.ts'
import { databaseFolder } from './folder.ts'

const marker = 'database-created'
const traces = [marker, 'admin-token']

/** Notes that the data directory has a database. A later start without one is an accident, not a first start. */
export function markUsed(dataDir: string): void {
  const file = join(dataDir, marker)
  if (existsSync(file)) return
  writeFileSync(file, 'The database of this directory is in the folder db. Without it, the service does not start.\n', {
    mode: 0o600,
  })
  syncPath(file)
  syncPath(dataDir)
}

/** @throws OperatorError if the directory was used before: its database was removed, or is not mounted */
export function requireUnused(dataDir: string): void {
  const found = traces.filter((name) => existsSync(join(dataDir, name)))
  if (found.length === 0) return
  if (!found.includes(marker)) throw new OperatorError(elsewhere(dataDir, found))
  throw new OperatorError(
    `${databaseFolder(dataDir)} is missing or empty, but ${resolve(dataDir)} was used before (it has ${found.join(' and ')}). Put the folder back, or restore a backup: ${commandLine('restore', 'FILE')}. If the data is in PostgreSQL, set DATABASE_URL. To start with an empty database, delete ${found.join(' and ')}.`,
  )
}

/** A server with PostgreSQL keeps its token in the directory, and no database. */
const elsewhere = (dataDir: string, found: string[]): string =>
  `${databaseFolder(dataDir)} is missing or empty, but ${resolve(dataDir)} was used before: it has ${found.join(' and ')}. A server with PostgreSQL leaves that. Set DATABASE_URL as the server has it. If the database was in this directory, put the folder back, or restore a backup: ${commandLine('restore', 'FILE')}. To start with an empty database, delete ${found.join(' and ')}.`
