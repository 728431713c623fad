import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { writeArchive } from './archive.ts'
import { databaseFolder, temporaryFolder } from './embedded-folder.ts'
import { describeCause } from './operator-error.ts'

type Source = { pglite: PGlite; dataDir: string; log: Logger }

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
export async function sendSnapshot({ pglite, dataDir }: Source, out: Writable): Promise<void> {
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
