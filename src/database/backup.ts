import { randomBytes } from 'node:crypto'
import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs'
import { cp, open, rename, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { dirname, resolve } from 'node:path'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { readArchive, writeArchive } from './archive.ts'
import { syncPath } from './durable-fs.ts'
import { databaseFolder, inspectDatabaseFolder, temporaryFolder } from './embedded-folder.ts'
import { callOwner } from './lock.ts'
import { describeCause, OperatorError } from './operator-error.ts'

type Source = { pglite: PGlite; dataDir: string; log: Logger }

/**
 * Writes the embedded database of dataDir to a .tar.gz of PostgreSQL's data directory. A running server is asked for
 * it over its socket and goes on serving; without one the database is opened here. The file appears when it is whole,
 * was read back and is on disk.
 */
export async function backUpDatabase(dataDir: string, file: string, log: Logger): Promise<'running' | 'stopped'> {
  const path = resolve(file)
  if (existsSync(path)) throw new OperatorError(`${path} exists already; a backup overwrites nothing.`)
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
  const { openEmbedded } = await import('./embedded.ts')
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

/** The running server's part: sends the archive to the process that asked for it. */
export function answerBackup(source: Source, socket: Socket): void {
  source.log.info('a backup was asked for')
  sendSnapshot(source, socket).then(
    () => source.log.info('the backup was sent'),
    (error) => {
      source.log.error({ cause: describeCause(error) }, 'the backup failed')
      socket.destroy()
    },
  )
}

/**
 * The folder is copied while no transaction runs and no statement can start; that is the state a power cut would leave,
 * from which PostgreSQL recovers every commit. Packing the copy, which takes longer, then holds up nobody.
 */
async function sendSnapshot({ pglite, dataDir }: Source, out: Writable): Promise<void> {
  const copy = temporaryFolder(dataDir, `backup-${randomBytes(4).toString('hex')}`)
  try {
    await pglite.exec('CHECKPOINT')
    await pglite._runExclusiveTransaction(async () => {
      await cp(databaseFolder(dataDir), copy, {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
        filter: (path) => !path.endsWith('postmaster.pid'),
      })
    })
    await writeArchive(copy, out)
  } catch (error) {
    out.destroy(error as Error)
    throw error
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
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
      `The backup to ${path} failed and left no file: ${describeCause(error)}. Look for the cause in the server's log and on the disk.`,
    )
  }
}

async function requireDatabaseArchive(source: Readable): Promise<void> {
  const names = await readArchive(source)
  if (!names.includes('PG_VERSION') || !names.includes('global/pg_control')) throw new Error('it holds no database')
}
