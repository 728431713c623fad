import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { backUpDatabase } from './create.ts'

export type ScheduledBackups = {
  /** The folder of the files, which is made if it is missing. */
  folder: string
  everyHours: number
  /** How many files are kept: the newest. */
  keep: number
}

const hourMs = 3_600_000
const ownFiles = /^tributary-\d{8}T\d{6}Z\.tar\.gz$/

/** Backs up the embedded database of this process again and again, as long as it runs. */
export function scheduleBackups(dataDir: string, settings: ScheduledBackups, log: Logger): void {
  const run = () =>
    backUpNow(dataDir, settings, new Date(), log).then(
      ({ file, deleted }) => log.info({ file, deleted }, 'database backed up'),
      (err) => log.error({ err }, 'scheduled backup failed'),
    )
  setInterval(run, settings.everyHours * hourMs).unref()
}

/** Writes one backup, and deletes the oldest ones above the number that is kept. Other files in the folder stay. */
export async function backUpNow(
  dataDir: string,
  { folder, keep }: Omit<ScheduledBackups, 'everyHours'>,
  now: Date,
  log: Logger,
): Promise<{ file: string; deleted: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `tributary-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)
  await backUpDatabase(dataDir, file, log)
  const old = (await readdir(folder))
    .filter((name) => ownFiles.test(name))
    .sort()
    .slice(0, -keep)
  for (const name of old) await rm(join(folder, name))
  return { file, deleted: old.length }
}
