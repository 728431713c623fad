import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { syncPath } from '../embedded/durable-fs.ts'
import { inspectDatabaseFolder } from '../embedded/folder.ts'
import { callOwner } from '../embedded/lock.ts'
import { openEmbedded } from '../embedded/open.ts'
import { sendSnapshot } from '../embedded/snapshot.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import { readArchive } from './archive.ts'

/**
 * Writes the embedded database to a .tar.gz. A running server sends it over its socket and continues to serve. The file
 * appears only when it is complete, was read back and is on disk.
 */
export async function backUpDatabase(dataDir: string, file: string, log: Logger): Promise<'running' | 'stopped'> {
  const path = resolve(file)
  if (existsSync(path)) throw new OperatorError(`${path} already exists; a backup does not overwrite files.`)
  if (!existsSync(dirname(path))) throw new OperatorError(`The folder ${dirname(path)} does not exist.`)
  const owner = await callOwner(dataDir)
  if (owner) {
    owner.write('backup\n')
    await saveArchive(owner, path)
    return 'running'
  }
  if (!existsSync(dataDir) || inspectDatabaseFolder(dataDir) === 'missing') {
    throw new OperatorError(`There is no database in ${resolve(dataDir)} (DATA_DIR).`)
  }
  const embedded = await openEmbedded({ dataDir, log })
  try {
    const stream = new PassThrough()
    const saved = saveArchive(stream, path)
    await Promise.all([sendSnapshot({ pglite: embedded.pglite, dataDir, log }, stream), saved])
  } finally {
    await embedded.close()
  }
  return 'stopped'
}

async function saveArchive(source: Readable, path: string): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.partial`
  try {
    await pipeline(source, createWriteStream(temporary, { mode: 0o600, flags: 'wx' }))
    await requireDatabaseArchive(createReadStream(temporary))
    const handle = await open(temporary, 'r')
    await handle.sync().finally(() => handle.close())
    await rename(temporary, path)
    syncPath(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The backup to ${path} failed and no file was written: ${describeCause(error)}. Check the server's log and the disk.`,
    )
  }
}

async function requireDatabaseArchive(source: Readable): Promise<void> {
  const names = await readArchive(source)
  if (!names.includes('PG_VERSION') || !names.includes('global/pg_control')) throw new Error('it contains no database')
}
