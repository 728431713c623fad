import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { makeFolders } from '../../kernel/make-folders.ts'
import { commandLine, findPackageRoot } from '../../kernel/package-root.ts'
import { readArchive } from '../archive.ts'
import { OperatorError } from '../operator-error.ts'
import { diskFullMessage, isDiskFull } from './disk-full.ts'
import { syncPath } from './durable-fs.ts'

/** The major version of PostgreSQL in the pinned PGlite. No other version can read its files. */
export const embeddedMajorVersion = '18'

const privateMode = 0o700
const temporaryPrefix = 'db.tmp-'

export function databaseFolder(dataDir: string): string {
  return join(resolve(dataDir), 'db')
}

/** A folder next to the database for work in progress. The next start removes what a killed process left there. */
export function temporaryFolder(dataDir: string, purpose: string): string {
  return join(resolve(dataDir), `${temporaryPrefix}${purpose}`)
}

/** Creates the data directory, for its owner only. @returns why a shared volume could not be made private */
export function prepareDataDir(dataDir: string): Error | undefined {
  const path = resolve(dataDir)
  try {
    const firstCreated = makeFolders(path)
    // Otherwise a power failure could remove the directory and everything in it.
    if (firstCreated) for (const parent of parentsBetween(path, firstCreated)) syncPath(parent)
    if (existsSync(join(path, 'PG_VERSION'))) {
      throw new OperatorError(
        `DATA_DIR ${path} is itself a PostgreSQL directory. Set it to an empty directory, or to the parent directory.`,
      )
    }
    // The mode of a directory with other contents is not changed.
    const names = readdirSync(path)
    return names.length === 0 || names.includes('db') ? makePrivate(path) : undefined
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (isDiskFull(error)) throw new OperatorError(diskFullMessage(path))
    throw new OperatorError(`Cannot use the data directory ${path}: ${(error as Error).message}.`)
  }
}

/** Removes what a killed process left behind. Only for the owner of the directory's lock. */
export function removeTemporaryFolders(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(temporaryPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Whether a database exists. @throws OperatorError for other contents, or an unreadable database */
export function inspectDatabaseFolder(dataDir: string): 'missing' | 'present' {
  const folder = databaseFolder(dataDir)
  if (!existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0)) return 'missing'
  const version = readMajorVersion(folder)
  if (!version) {
    throw new OperatorError(
      `${folder} is not empty but contains no database (PG_VERSION is missing). Move it away to start with an empty database, or restore a backup: ${restoreCommand}`,
    )
  }
  if (version !== embeddedMajorVersion) {
    throw new OperatorError(
      `The database in ${folder} was created by PostgreSQL ${version}, but this version of Tributary reads PostgreSQL ${embeddedMajorVersion}. Run the version of Tributary that created it, or restore a backup made by this one: ${restoreCommand}`,
    )
  }
  makePrivate(folder)
  return 'present'
}

/** The major version of PostgreSQL that created a folder; empty if it is not a data directory. */
export function readMajorVersion(folder: string): string {
  const versionFile = join(folder, 'PG_VERSION')
  return existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : ''
}

export const restoreCommand = `${commandLine('restore', 'FILE --force')} (it keeps the present folder under another name).`

/**
 * Creates a database in a temporary folder, and moves it when every byte is on disk: a power failure leaves no database
 * or a complete one. The build packs one that has all migrations.
 */
export async function initialiseDatabaseFolder(dataDir: string): Promise<void> {
  const folder = temporaryFolder(dataDir, 'new')
  mkdirSync(folder, { mode: privateMode })
  const packed = join(findPackageRoot(), 'dist', 'empty-database.tar.gz')
  if (existsSync(packed)) await readArchive(createReadStream(packed), folder)
  else await runInitdb(folder)
  await installFolder(folder, databaseFolder(dataDir))
}

async function runInitdb(folder: string): Promise<void> {
  const pglite = await PGlite.create({ fs: new NodeFS(folder) })
  await pglite.close()
}

/** Moves a complete folder to its place. Its contents are forced to disk before the move, the move itself after it. */
export async function installFolder(from: string, to: string): Promise<void> {
  await syncTree(from)
  if (existsSync(to) && readdirSync(to).length === 0) rmSync(to, { recursive: true })
  renameSync(from, to)
  makePrivate(to)
  syncPath(resolve(to, '..'))
}

/** In parallel, so that the file system writes its journal once for many files. */
async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.filter((entry) => entry.isFile() || entry.isDirectory())
  await Promise.all([...paths.map((entry) => join(entry.parentPath, entry.name)), folder].map(syncFile))
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

function parentsBetween(path: string, firstCreated: string): string[] {
  const parent = dirname(path)
  return path === resolve(firstCreated) ? [parent] : [parent, ...parentsBetween(parent, firstCreated)]
}

/** Returns the error when the directory belongs to another user, or is on a file system without modes. */
function makePrivate(path: string): Error | undefined {
  if ((statSync(path).mode & 0o077) === 0) return undefined
  try {
    chmodSync(path, privateMode)
  } catch (error) {
    return error as Error
  }
  return undefined
}
