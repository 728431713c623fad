import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { readArchive } from '../archive.ts'
import { inspectDatabaseFolder } from '../embedded/folder.ts'
import { callOwner } from '../embedded/lock.ts'
import { openEmbedded } from '../embedded/open.ts'
import { sendSnapshot } from '../embedded/snapshot.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import { writeWhole } from './partial.ts'

/**
 * Writes the embedded database to a .tar.gz. A running server sends it over its socket and continues to serve. The file
 * appears only when it is complete, was read back and is on disk.
 */
export async function backUpDatabase(
  dataDir: string,
  file: string,
  log: Logger,
  signal?: AbortSignal,
): Promise<'running' | 'stopped'> {
  const path = resolve(file)
  if (existsSync(path)) throw new OperatorError(`${path} already exists; a backup does not overwrite files.`)
  if (!existsSync(dirname(path))) throw new OperatorError(`The folder ${dirname(path)} does not exist.`)
  const owner = await callOwner(dataDir)
  if (owner) {
    owner.write('backup\n')
    await saveArchive(owner, path, signal)
    return 'running'
  }
  if (!existsSync(dataDir) || inspectDatabaseFolder(dataDir) === 'missing') {
    throw new OperatorError(
      `There is no database in ${resolve(dataDir)} (DATA_DIR). If it is in PostgreSQL, set DATABASE_URL as the server has it.`,
    )
  }
  const embedded = await openEmbedded({ dataDir, log })
  try {
    const stream = new PassThrough()
    const saved = saveArchive(stream, path, signal)
    await Promise.all([sendSnapshot({ pglite: embedded.pglite, dataDir, log }, stream), saved])
  } finally {
    await embedded.close()
  }
  return 'stopped'
}

async function saveArchive(source: Readable, path: string, signal?: AbortSignal): Promise<void> {
  try {
    await writeWhole(path, async (partial) => {
      await pipeline(source, createWriteStream(partial, { mode: 0o600, flags: 'wx' }), { signal })
      await requireDatabaseArchive(createReadStream(partial))
      const handle = await open(partial, 'r')
      await handle.sync().finally(() => handle.close())
    })
  } catch (error) {
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
