import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { scheduleCheckpoints } from './checkpoints.ts'
import { DurableNodeFS, durableStartParams } from './durable-fs.ts'
import {
  databaseFolder,
  initialiseDatabaseFolder,
  inspectDatabaseFolder,
  prepareDataDir,
  removeTemporaryFolders,
  restoreCommand,
} from './embedded-folder.ts'
import { extensions } from './extensions.ts'
import { type DirectoryLock, lockDirectory } from './lock.ts'
import { describeCause, OperatorError } from './operator-error.ts'
import { answerBackup } from './snapshot.ts'
import { scheduleStatistics } from './statistics.ts'

export type EmbeddedOptions = {
  dataDir: string
  log: Logger
  /** Called when the engine has stopped for good, e.g. as its disk is full or broken: every query fails from then on. */
  onFailure?: (error: Error) => void
}

export type Embedded = { pglite: PGlite; close(): Promise<void> }

/** Opens the database in dataDir, or makes it: locked against other processes, every commit forced to disk. */
export async function openEmbedded({ dataDir, log, onFailure }: EmbeddedOptions): Promise<Embedded> {
  prepareDataDir(dataDir)
  let opened: PGlite | undefined
  const lock = await lockDirectory(dataDir, (command, socket) => {
    if (command === 'backup' && opened) answerBackup({ pglite: opened, dataDir, log }, socket)
    else socket.destroy()
  })
  try {
    removeTemporaryFolders(dataDir)
    if (inspectDatabaseFolder(dataDir) === 'missing') {
      log.info({ dataDir }, 'making a new database')
      await initialiseDatabaseFolder(dataDir)
    }
    const engine = await startEngine(databaseFolder(dataDir), (error) => {
      log.fatal({ cause: error.message }, 'the embedded database has stopped; restart the service')
      onFailure?.(error)
    })
    opened = engine.pglite
    const { countSyncs } = engine
    const stops = [scheduleCheckpoints(opened, { log, countSyncs }), scheduleStatistics(opened, { log, countSyncs })]
    return { pglite: opened, close: () => closeEmbedded(engine, stops, lock) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

type Engine = { pglite: PGlite; countSyncs: () => number; hasStopped: () => boolean }

async function startEngine(folder: string, onStop: (error: Error) => void): Promise<Engine> {
  // The lock says that no process uses the folder, so this names one that was killed.
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  let syncs = 0
  let isRunning = false
  let failToStart: (error: Error) => void = () => {}
  let lastWords = ''
  let stopped: Error | undefined
  const fs = new DurableNodeFS(folder, {
    onSync: () => {
      syncs += 1
    },
    onAbort: () => {
      stopped ??= new Error(lastWords || 'the database engine gave up')
      if (isRunning) onStop(stopped)
      else failToStart(stopped)
    },
  })
  const onStderr = (text: string) => {
    if (/FATAL|PANIC/.test(text)) lastWords = text.replace(/^.*?(FATAL|PANIC):\s*/, '')
    return false
  }
  try {
    const failed = new Promise<never>((_, reject) => {
      failToStart = reject
    })
    const pglite = await Promise.race([
      PGlite.create({ fs, startParams: durableStartParams, onStderr, extensions }),
      failed,
    ])
    await requireDurableCommit(pglite, () => syncs)
    isRunning = true
    return { pglite, countSyncs: () => syncs, hasStopped: () => stopped !== undefined }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The database in ${folder} can not be opened, it seems damaged: ${lastWords || describeCause(error)}. Restore a backup: ${restoreCommand}`,
    )
  }
}

/** Commits a record to the log and counts: should an update of PGlite lose the patched fsync, nothing runs on it. */
async function requireDurableCommit(pglite: PGlite, countSyncs: () => number): Promise<void> {
  const before = countSyncs()
  await pglite.query(`SELECT pg_logical_emit_message(true, 'tributary', 'durability probe')`)
  if (countSyncs() > before) return
  throw new OperatorError(
    'The embedded database did not force a commit to disk, so a power cut would lose data. Install the exact version of @electric-sql/pglite that package.json names, or use PostgreSQL (DATABASE_URL).',
  )
}

async function closeEmbedded(engine: Engine, stops: (() => void)[], lock: DirectoryLock): Promise<void> {
  for (const stop of stops) stop()
  try {
    if (!engine.hasStopped()) {
      await engine.pglite.exec('CHECKPOINT')
      await engine.pglite.close()
    }
  } finally {
    await lock.release()
  }
}
