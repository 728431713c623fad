import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncPath } from './durable-fs.ts'
import { OperatorError } from './operator-error.ts'

/** The major version of PostgreSQL inside the pinned PGlite; its files can be read by no other. */
export const embeddedMajorVersion = '18'

const privateMode = 0o700
const temporaryPrefix = 'db.tmp-'

export function databaseFolder(dataDir: string): string {
  return join(resolve(dataDir), 'db')
}

/** A folder beside the database for work in progress; what a killed process left there is removed at the next start. */
export function temporaryFolder(dataDir: string, purpose: string): string {
  return join(resolve(dataDir), `${temporaryPrefix}${purpose}`)
}

/** Makes the data directory, readable by its owner alone. */
export function prepareDataDir(dataDir: string): void {
  const path = resolve(dataDir)
  try {
    const firstMade = mkdirSync(path, { recursive: true, mode: privateMode })
    // Otherwise a power cut could take the directory away with all that is in it.
    if (firstMade) for (const parent of parentsBetween(path, firstMade)) syncPath(parent)
    if (existsSync(join(path, 'PG_VERSION'))) {
      throw new OperatorError(
        `DATA_DIR ${path} is itself a PostgreSQL directory. Name an empty directory, or the one above.`,
      )
    }
    // A directory that holds other things already is somebody else's: its mode is left alone.
    const names = readdirSync(path)
    if (names.length === 0 || names.includes('db')) makePrivate(path)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`Can not use the data directory ${path}: ${(error as Error).message}.`)
  }
}

/** Removes what a killed process left half done. Only for the owner of the directory's lock. */
export function removeTemporaryFolders(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(temporaryPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Whether there is a database; refuses a folder that is something else or that this version can not read. */
export function inspectDatabaseFolder(dataDir: string): 'missing' | 'present' {
  const folder = databaseFolder(dataDir)
  if (!existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0)) return 'missing'
  const version = readMajorVersion(folder)
  if (!version) {
    throw new OperatorError(
      `${folder} is not empty but holds no database (PG_VERSION is missing). Move it away to start anew, or restore a backup: ${restoreCommand}`,
    )
  }
  if (version !== embeddedMajorVersion) {
    throw new OperatorError(
      `The database in ${folder} is of PostgreSQL ${version}, but this version of Tributary reads PostgreSQL ${embeddedMajorVersion}. Run the version that made it, or restore a backup made by this one: ${restoreCommand}`,
    )
  }
  chmodSync(folder, privateMode)
  return 'present'
}

/** The major version of PostgreSQL that made a folder; empty when it is none of its folders. */
export function readMajorVersion(folder: string): string {
  const versionFile = join(folder, 'PG_VERSION')
  return existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : ''
}

export const restoreCommand = 'npm run restore -- FILE --force (it keeps the present folder under another name).'

/**
 * Makes an empty database. It is made beside its place and moved there when every byte is on disk, so a power cut
 * leaves either none or a whole one.
 */
export async function initialiseDatabaseFolder(dataDir: string): Promise<void> {
  const folder = temporaryFolder(dataDir, 'new')
  mkdirSync(folder, { mode: privateMode })
  const pglite = await PGlite.create({ fs: new NodeFS(folder) })
  await pglite.close()
  installFolder(folder, databaseFolder(dataDir))
}

/** Moves a finished folder to its place for good: its contents are on disk before, the move itself after. */
export function installFolder(from: string, to: string): void {
  syncTree(from)
  if (existsSync(to) && readdirSync(to).length === 0) rmSync(to, { recursive: true })
  renameSync(from, to)
  chmodSync(to, privateMode)
  syncPath(resolve(to, '..'))
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

function parentsBetween(path: string, firstMade: string): string[] {
  const parent = dirname(path)
  return path === resolve(firstMade) ? [parent] : [parent, ...parentsBetween(parent, firstMade)]
}

function makePrivate(path: string): void {
  if ((statSync(path).mode & 0o077) === 0) return
  chmodSync(path, privateMode)
}
