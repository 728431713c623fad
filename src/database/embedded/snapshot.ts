import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { writeArchive } from '../archive.ts'
import { runAlone } from '../seams/pglite.ts'
import { databaseFolder, temporaryFolder } from './folder.ts'

type Source = { pglite: PGlite; dataDir: string; log: Logger }

/** Runs in the server: sends the archive to the process that requested it. */
export function handleBackupCommand(source: Source, socket: Socket): void {
  source.log.info('backup requested')
  sendSnapshot(source, socket).then(
    () => source.log.info('backup sent'),
    (error) => {
      source.log.error({ err: error }, 'backup failed')
      socket.destroy()
    },
  )
}

/** Copies the folder while no statement runs, as a power failure would leave it. Packing blocks no queries. */
export async function sendSnapshot({ pglite, dataDir }: Source, out: Writable): Promise<void> {
  const copy = temporaryFolder(dataDir, `backup-${randomBytes(4).toString('hex')}`)
  try {
    await pglite.exec('CHECKPOINT')
    await runAlone(pglite, async () => {
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
