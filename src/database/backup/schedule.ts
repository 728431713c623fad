import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { makeFolders } from '../../kernel/make-folders.ts'
import { isDiskFull } from '../embedded/disk-full.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import { repeatInBackground } from '../upkeep/background.ts'
import { removeDeadPartials } from './partial.ts'
import { type BackupWriter, embeddedWriter, postgresWriter } from './writers.ts'

export type ScheduledBackups = {
  /** The folder of the files, which is made if it is missing. */
  folder: string
  everyHours: number
  /** How many files are kept: the newest. */
  keep: number
}

/** The backups of this installation: a new one is due when the newest file is old enough, also after a restart. */
export type Backups = {
  /** @throws OperatorError if the folder cannot be written, or what makes backups is missing */
  check(): Promise<void>
  start(): void
  /** Ends a backup that is being made, and removes what it has written. */
  stop(): Promise<void>
  /** Seconds since the newest backup. Infinite without one. */
  ageSeconds(): Promise<number>
  everySeconds: number
  /** Why there is no recent backup, in a sentence. Null if the newest is at most twice as old as it should get. */
  findProblem(): Promise<string | null>
}

const hourMs = 3_600_000
/** How often it is looked whether a backup is due. A longer timer could overflow. */
const lookEveryMs = 60_000
/** A backup that failed is tried again after this time. */
const retryMs = 15 * 60_000
/** A file of a clock that was wrong does not count. */
const mostAheadMs = hourMs
const ownFiles = /^tributary-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:tar\.gz|dump)$/

type Made = { folder: string; keep: number }

type Settings = {
  backups: ScheduledBackups | undefined
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  dataDir: string
}

/** The backups that the settings ask for; undefined without BACKUP_DIR. Nothing is written before the start. */
export function planBackups({ backups, databaseUrl, ...config }: Settings, log: Logger): Backups | undefined {
  const url = config.databaseDirectUrl ?? databaseUrl
  return backups && createBackups(backups, url ? postgresWriter(url) : embeddedWriter(config.dataDir, log), log)
}

export function createBackups(
  { folder, everyHours, keep }: ScheduledBackups,
  writer: BackupWriter,
  log: Logger,
  now: () => Date = () => new Date(),
): Backups {
  const everyMs = everyHours * hourMs
  const ended = new AbortController()
  let failed: { at: number; reason: string } | undefined
  const ageMs = async () => now().getTime() - ((await newestAt(folder, now())) ?? Number.NEGATIVE_INFINITY)
  const isDue = async () => (await ageMs()) >= everyMs
  const make = async () => {
    // Another instance may have made it while this one took its turn.
    if (!(await isDue())) return
    const made = await writeBackup(writer, { folder, keep }, now(), ended.signal)
    failed = undefined
    log.info(made, 'database backed up')
  }
  const look = async () => {
    if (ended.signal.aborted || (failed && now().getTime() - failed.at < Math.min(retryMs, everyMs))) return
    try {
      const removed = await removeDeadPartials(folder)
      if (removed > 0) log.info({ folder, count: removed }, 'unfinished backups of ended processes removed')
      if (await isDue()) await writer.alone(make)
    } catch (err) {
      if (ended.signal.aborted) return
      failed = { at: now().getTime(), reason: describeCause(err) }
      log.error({ err, folder }, 'scheduled backup failed')
    }
  }
  let running: Promise<void> | undefined
  const lookOnce = () => {
    running ??= look().finally(() => {
      running = undefined
    })
    return running
  }
  let stopLooking = async () => {}
  return {
    async check() {
      await requireWritable(folder, log)
      await writer.check()
    },
    start() {
      stopLooking = repeatInBackground(lookOnce, {
        everyMs: lookEveryMs,
        log,
        failureMessage: 'scheduled backup failed',
      })
      void lookOnce()
    },
    async stop() {
      ended.abort()
      await stopLooking()
      await running
    },
    everySeconds: everyMs / 1_000,
    ageSeconds: () =>
      ageMs().then(
        (ms) => Math.max(0, ms / 1_000),
        () => Number.POSITIVE_INFINITY,
      ),
    async findProblem() {
      const newest = await newestAt(folder, now()).catch(() => undefined)
      if (newest !== undefined && now().getTime() - newest <= 2 * everyMs) return null
      const state = newest === undefined ? 'has no backup yet' : `has no backup since ${new Date(newest).toISOString()}`
      const reason = failed ? ` The last try failed: ${failed.reason}` : ''
      return `BACKUP_DIR (${resolve(folder)}) ${state}. One is due every ${everyHours} hours.${reason}`
    },
  }
}

/** When the newest backup in the folder was made; undefined without one. */
async function newestAt(folder: string, now: Date): Promise<number | undefined> {
  const times = (await readdir(folder)).flatMap((name) => {
    const [, ...parts] = ownFiles.exec(name) ?? []
    const [year = 0, month = 1, day, hour, minute, second] = parts.map(Number)
    return parts.length === 0 ? [] : [Date.UTC(year, month - 1, day, hour, minute, second)]
  })
  const past = times.filter((at) => at <= now.getTime() + mostAheadMs)
  return past.length === 0 ? undefined : Math.max(...past)
}

/** A full disk is no mistake of the settings: the service starts, and the try is repeated. */
async function requireWritable(folder: string, log: Logger): Promise<void> {
  const probe = join(folder, `.tributary-${randomBytes(8).toString('hex')}`)
  try {
    makeFolders(folder)
    await writeFile(probe, 'x').finally(() => rm(probe, { force: true }))
  } catch (error) {
    if (!isDiskFull(error))
      throw new OperatorError(
        `BACKUP_DIR ${resolve(folder)} cannot be written: ${describeCause(error)}. Set it to a folder that the service may write, or remove it.`,
      )
    log.error({ err: error, folder }, 'the disk of the backups is full')
  }
}

/** Writes one backup of an embedded database, and deletes the oldest above the number that is kept. */
export const backUpNow = (dataDir: string, settings: Made, now: Date, log: Logger) =>
  writeBackup(embeddedWriter(dataDir, log), settings, now, new AbortController().signal)

/** Other files in the folder stay. */
async function writeBackup(writer: BackupWriter, { folder, keep }: Made, now: Date, signal: AbortSignal) {
  makeFolders(folder)
  const file = join(folder, `tributary-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.${writer.ending}`)
  await writer.write(file, signal)
  const old = (await readdir(folder))
    .filter((name) => ownFiles.test(name))
    .sort()
    .slice(0, -keep)
  for (const name of old) await rm(join(folder, name), { force: true })
  return { file, deleted: old.length }
}
