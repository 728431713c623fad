import { execFileSync } from 'node:child_process'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { requirePgDump } from '../../../src/database/backup/dump.ts'
import { createBackups } from '../../../src/database/backup/schedule.ts'
import { embeddedWriter, postgresWriter } from '../../../src/database/backup/writers.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { mintId } from '../../../src/kernel/ids.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { makeDataDir, makeTemporaryFolder } from '../../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../../support/database.ts'
import { postgresProgram } from '../../support/postgres-cluster.ts'
import { programNames } from '../../support/program-names.ts'

const withoutPostgres = !process.env.TEST_DATABASE_URL
const hourMs = 3_600_000
const nameAt = (at: Date, ending: string) => `tributary-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.${ending}`
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs)
const finished = async (folder: string) => (await readdir(folder)).filter((name) => /\.(dump|gz)$/.test(name))

test('a backup is due by the age of the newest file, so a server that restarts each hour makes one each month', async () => {
  const dataDir = await makeDataDir()
  const folder = await makeTemporaryFolder()
  const { close } = await openDatabase({ dataDir, log })
  onTestFinished(close)
  const start = (at: Date) =>
    createBackups({ folder, everyHours: 720, keep: 7 }, embeddedWriter(dataDir, log), log, () => at)
  await writeFile(join(folder, nameAt(hoursAgo(719), 'tar.gz')), '')
  const early = start(new Date())
  expect(await early.findProblem()).toBeNull()
  early.start()
  await early.stop()
  expect(await finished(folder)).toHaveLength(1)

  const due = start(new Date(Date.now() + 2 * hourMs))
  due.start()
  await expect.poll(() => finished(folder), { timeout: 30_000 }).toHaveLength(2)
  await due.stop()
  expect(await due.ageSeconds()).toBeLessThan(2)
  const late = start(new Date(Date.now() + 1_500 * hourMs))
  expect(await late.findProblem()).toContain('has no backup since')
  expect(await late.ageSeconds()).toBeGreaterThan(2 * late.everySeconds)
})

test('partial files of processes that have ended are removed, and those of others stay', async () => {
  const folder = await makeTemporaryFolder()
  const fresh = nameAt(hoursAgo(1), 'tar.gz')
  const files = {
    live: `${fresh}.0123abcd-1-0123abcd.partial`,
    dead: `${fresh}.0123abcd.partial`,
    other: 'mine.partial',
  }
  for (const name of Object.values(files)) await writeFile(join(folder, name), '')
  await utimes(join(folder, files.dead), hoursAgo(1), hoursAgo(1))
  await utimes(join(folder, files.other), hoursAgo(1), hoursAgo(1))
  await writeFile(join(folder, fresh), '')
  const backups = createBackups({ folder, everyHours: 24, keep: 7 }, embeddedWriter(folder, log), log)
  backups.start()
  await expect.poll(async () => (await readdir(folder)).toSorted()).toEqual([files.other, fresh, files.live].toSorted())
  await backups.stop()
})

test('a start names a folder that cannot be written, and a pg_dump that is too old', async () => {
  const settings = { folder: '/proc/nope/backups', everyHours: 24, keep: 7 }
  await expect(createBackups(settings, embeddedWriter('data', log), log).check()).rejects.toThrow(
    /^BACKUP_DIR \/proc\/nope\/backups cannot be written: .* Set it to a folder/,
  )
  await expect(requirePgDump(99)).rejects.toThrow(
    /pg_dump (is version \d+, but the server is PostgreSQL 99|was not found)/,
  )
})

test.skipIf(withoutPostgres)(
  'one of several instances on PostgreSQL makes the backup, which pg_restore restores whole',
  async () => {
    const [source, target] = await Promise.all([createPostgresClone(), createPostgresClone({ empty: true })])
    onTestFinished(async () => void (await Promise.all([source.drop(), target.drop()])))
    const folder = join(await makeTemporaryFolder(), 'new')
    const { db, close } = await openDatabase({ databaseUrl: source.url, dataDir: folder, log })
    onTestFinished(close)
    const at = new Date()
    const data = {
      id: mintId(at),
      name: 'Acme',
      url: 'https://acme.test',
      currency: 'eur',
      createdAt: at,
      updatedAt: at,
    }
    await db.program.create({ data: { ...data, ...programNames() } })

    const instances = [1, 2, 3].map(() =>
      createBackups({ folder, everyHours: 24, keep: 7 }, postgresWriter(source.url), log),
    )
    await Promise.all(instances.map((instance) => instance.check()))
    for (const instance of instances) instance.start()
    await expect.poll(() => finished(folder), { timeout: 30_000 }).toEqual([expect.stringMatching(/\.dump$/)])
    await Promise.all(instances.map((instance) => instance.stop()))
    const [file = ''] = await finished(folder)
    expect(await readdir(folder)).toEqual([file])

    execFileSync(postgresProgram('pg_restore'), [`--dbname=${target.url}`, join(folder, file)])
    const restored = await openDatabase({ databaseUrl: target.url, dataDir: folder, log })
    onTestFinished(restored.close)
    expect(await restored.db.program.findMany({ select: { name: true } })).toEqual([{ name: 'Acme' }])
    expect(await examine({ db: restored.db })).toEqual(await examine({ db }))
  },
)

test.skipIf(withoutPostgres)('a backup that is stopped leaves no file', async () => {
  const source = await createPostgresClone()
  onTestFinished(source.drop)
  const folder = await makeTemporaryFolder()
  await mkdir(folder, { recursive: true })
  const backups = createBackups({ folder, everyHours: 24, keep: 7 }, postgresWriter(source.url), log)
  backups.start()
  await expect.poll(() => readdir(folder)).not.toEqual([])
  await backups.stop()
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
})
