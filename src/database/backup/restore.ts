import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { readArchive } from '../archive.ts'
import { extensions } from '../embedded/extensions.ts'
import {
  databaseFolder,
  embeddedMajorVersion,
  installFolder,
  prepareDataDir,
  readMajorVersion,
  removeTemporaryFolders,
  temporaryFolder,
} from '../embedded/folder.ts'
import { lockDirectory } from '../embedded/lock.ts'
import { describeCause, OperatorError } from '../operator-error.ts'

export type RestoreResult = { folder: string; keptAs?: string }

/**
 * Restores a backup into dataDir. It is first opened in a temporary folder, so an invalid file changes nothing. An
 * existing database is replaced only with `force`, and kept under another name.
 */
export async function restoreDatabase(
  dataDir: string,
  file: string,
  force: boolean,
  now: Date,
): Promise<RestoreResult> {
  const path = resolve(file)
  if (!existsSync(path)) throw new OperatorError(`The file ${path} does not exist.`)
  prepareDataDir(dataDir)
  const lock = await lockDirectory(dataDir, (_command, socket) => socket.destroy())
  try {
    removeTemporaryFolders(dataDir)
    const folder = databaseFolder(dataDir)
    const isTaken = existsSync(folder) && readdirSync(folder).length > 0
    if (isTaken && !force) {
      throw new OperatorError(
        `There is a database in ${folder}. Restore with --force to replace it (it is kept under another name).`,
      )
    }
    const restored = await unpackAndCheck(dataDir, path)
    const keptAs = isTaken ? `${folder}.replaced-${now.toISOString().replace(/[:.]/g, '-')}` : undefined
    if (keptAs) renameSync(folder, keptAs)
    try {
      await installFolder(restored, folder)
    } catch (error) {
      if (keptAs) renameSync(keptAs, folder)
      throw error
    }
    return { folder, keptAs }
  } finally {
    removeTemporaryFolders(dataDir)
    await lock.release()
  }
}

async function unpackAndCheck(dataDir: string, path: string): Promise<string> {
  const folder = temporaryFolder(dataDir, 'restore')
  mkdirSync(folder, { mode: 0o700 })
  try {
    await readArchive(createReadStream(path), folder)
    const version = readMajorVersion(folder)
    if (!version) throw new Error('it contains no database')
    if (version !== embeddedMajorVersion) {
      throw new Error(`it was created by PostgreSQL ${version}, but this version reads ${embeddedMajorVersion}`)
    }
    rmSync(`${folder}/postmaster.pid`, { force: true })
    const pglite = await PGlite.create({ fs: new NodeFS(folder), extensions })
    const { rows } = await pglite.query<{ present: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
    )
    await pglite.close()
    if (!rows[0]?.present) throw new Error('it contains a database of another program')
    return folder
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${path} cannot be restored, nothing was changed: ${describeCause(error)}.`)
  }
}
