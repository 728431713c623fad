import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { DetailGone } from '../../kernel/library-details.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import { scheduleStatistics, statisticsParams } from '../upkeep/statistics.ts'
import { scheduleCheckpoints } from './checkpoints.ts'
import { diskFullMessage, hasNoSpace, isDiskFull } from './disk-full.ts'
import { DurableNodeFS, durableStartParams } from './durable-fs.ts'
import { extensions } from './extensions.ts'
import { checkLengths, noteLengths } from './file-lengths.ts'
import {
  databaseFolder,
  initialiseDatabaseFolder,
  inspectDatabaseFolder,
  prepareDataDir,
  removeTemporaryFolders,
  restoreCommand,
} from './folder.ts'
import { type CommandHandler, type DirectoryLock, lockDirectory } from './lock.ts'
import { handleBackupCommand } from './snapshot.ts'
import { markUsed, requireUnused } from './used-marker.ts'

export type EmbeddedOptions = {
  dataDir: string
  log: Logger
  /** Called when the engine has stopped (every later query fails) or the directory was lost (later writes are lost). */
  onFailure?: (error: Error, what: 'engine stopped' | 'directory lost') => void
}

export type Embedded = { pglite: PGlite; close(): Promise<void> }

/** Opens or creates the database in dataDir. It is locked against other processes; each commit is forced to disk. */
export async function openEmbedded({ dataDir, log, onFailure }: EmbeddedOptions): Promise<Embedded> {
  const problem = prepareDataDir(dataDir)
  if (problem) log.warn({ dataDir, err: problem }, 'data directory not made private, other users may read it')
  let opened: PGlite | undefined
  const onCommand: CommandHandler = (command, socket) => {
    if (command === 'backup' && opened) handleBackupCommand({ pglite: opened, dataDir, log }, socket)
    else socket.destroy()
  }
  const onLost = (error: Error) => {
    log.fatal({ err: error, dataDir }, 'data directory lost, restart required')
    onFailure?.(error, 'directory lost')
  }
  const lock = await lockDirectory(dataDir, onCommand, { onLost })
  try {
    removeTemporaryFolders(dataDir)
    await requireDatabaseFolder(dataDir, log)
    const checkRest = checkLengths(dataDir)
    const engine = await startEngine(databaseFolder(dataDir), (error) => {
      log.fatal({ err: error }, 'embedded database stopped, restart required')
      onFailure?.(error, 'engine stopped')
    })
    opened = engine.pglite
    await checkRest(opened).catch((error) => engine.pglite.close().finally(() => Promise.reject(error)))
    const note = () => noteLengths(dataDir, log)
    note()
    const { countSyncs } = engine
    const stops = [
      scheduleCheckpoints(opened, { log, countSyncs, onWritten: note }),
      scheduleStatistics(opened, { log, countSyncs }),
    ]
    return {
      pglite: opened,
      close: () => closeEmbedded(engine, stops, lock, () => noteLengths(dataDir, log, { isClosed: true })),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Creates the database of a data directory that was never used. */
async function requireDatabaseFolder(dataDir: string, log: Logger): Promise<void> {
  try {
    if (inspectDatabaseFolder(dataDir) === 'missing') {
      requireUnused(dataDir)
      log.info({ dataDir }, 'creating a database')
      await initialiseDatabaseFolder(dataDir)
    }
    markUsed(dataDir)
  } catch (error) {
    if (isDiskFull(error)) throw new OperatorError(diskFullMessage(dataDir))
    throw error
  }
}

type Engine = { pglite: PGlite; countSyncs: () => number; hasStopped: () => boolean }

async function startEngine(folder: string, onStop: (error: Error) => void): Promise<Engine> {
  // This process holds the lock, so the file names a process that was killed.
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  let syncs = 0
  let isRunning = false
  let failToStart: (error: Error) => void = () => {}
  let lastFatalMessage = ''
  let stopped: Error | undefined
  const fs = new DurableNodeFS(folder, {
    onSync: () => {
      syncs += 1
    },
    onAbort: () => {
      stopped ??= new Error(lastFatalMessage || 'the database engine aborted')
      if (isRunning) onStop(stopped)
      else failToStart(stopped)
    },
  })
  const onStderr = (text: string) => {
    if (/FATAL|PANIC/.test(text)) lastFatalMessage = text.replace(/^.*?(FATAL|PANIC):\s*/, '')
    return false
  }
  try {
    const failed = new Promise<never>((_, reject) => {
      failToStart = reject
    })
    const pglite = await Promise.race([
      PGlite.create({ fs, startParams: [...durableStartParams, ...statisticsParams], onStderr, extensions }),
      failed,
    ])
    await requireDurableCommit(pglite, () => syncs)
    isRunning = true
    return { pglite, countSyncs: () => syncs, hasStopped: () => stopped !== undefined }
  } catch (error) {
    if (error instanceof OperatorError || error instanceof DetailGone) throw error
    if (isDiskFull(error, lastFatalMessage) || hasNoSpace(folder)) throw new OperatorError(diskFullMessage(folder))
    throw new OperatorError(
      `The database in ${folder} cannot be opened and may be damaged: ${lastFatalMessage || describeCause(error)}. Restore a backup: ${restoreCommand}`,
    )
  }
}

/** Commits a log record and requires an fsync, in case an update of PGlite loses the patched fsync. */
async function requireDurableCommit(pglite: PGlite, countSyncs: () => number): Promise<void> {
  const before = countSyncs()
  await pglite.query(`SELECT pg_logical_emit_message(true, 'tributary', 'durability probe')`)
  if (countSyncs() > before) return
  throw new OperatorError(
    'The embedded database did not force a commit to disk, so a power failure would lose data. Install the exact version of @electric-sql/pglite in package.json, or use PostgreSQL (DATABASE_URL).',
  )
}

async function closeEmbedded(
  engine: Engine,
  stops: (() => void)[],
  lock: DirectoryLock,
  onClosed: () => void,
): Promise<void> {
  for (const stop of stops) stop()
  try {
    if (!engine.hasStopped()) {
      await engine.pglite.exec('CHECKPOINT')
      await engine.pglite.close()
      onClosed()
    }
  } finally {
    await lock.release()
  }
}
