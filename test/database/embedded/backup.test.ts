import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { readArchive, writeArchive } from '../../../src/database/archive.ts'
import { restoreDatabase } from '../../../src/database/backup/restore.ts'
import { backUpNow } from '../../../src/database/backup/schedule.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { mintId } from '../../../src/kernel/ids.ts'
import { makeDataDir, makeTemporaryFolder, startChild } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'
import { programNames } from '../../support/program-names.ts'

type Outcome = { code: number | null; output: string }

const backUp = (dataDir: string, ...args: string[]): Promise<Outcome> =>
  startChild('src/cli/backup.ts', args, { DATA_DIR: dataDir }).exited
const restore = (dataDir: string, ...args: string[]): Promise<Outcome> =>
  startChild('src/cli/restore.ts', args, { DATA_DIR: dataDir }).exited

async function addProgram(dataDir: string, name: string): Promise<void> {
  const { db, close } = await openDatabase({ dataDir, log })
  const at = new Date()
  const dates = { createdAt: at, updatedAt: at }
  await db.program.create({
    data: { id: mintId(at), name, url: 'https://example.com', currency: 'eur', ...programNames(), ...dates },
  })
  await close()
}

async function listPrograms(dataDir: string): Promise<{ id: string; name: string }[]> {
  const { db, close } = await openDatabase({ dataDir, log })
  return await db.program.findMany({ select: { id: true, name: true } }).finally(close)
}

test('a scheduled backup of a running server can be restored, and the oldest above the number that is kept is deleted', async () => {
  const dataDir = await makeDataDir()
  const folder = join(await makeTemporaryFolder(), 'backups')
  await addProgram(dataDir, 'before')
  const { close } = await openDatabase({ dataDir, log })
  try {
    for (const day of [1, 2, 3]) await backUpNow(dataDir, { folder, keep: 2 }, new Date(Date.UTC(2026, 0, day, 3)), log)
    await writeFile(join(folder, 'another.txt'), '')
    await backUpNow(dataDir, { folder, keep: 2 }, new Date(Date.UTC(2026, 0, 4, 3)), log)
  } finally {
    await close()
  }
  expect((await readdir(folder)).sort()).toEqual([
    'another.txt',
    'tributary-20260103T030000Z.tar.gz',
    'tributary-20260104T030000Z.tar.gz',
  ])
  const restored = await makeDataDir()
  await restoreDatabase(restored, join(folder, 'tributary-20260104T030000Z.tar.gz'), true, new Date())
  expect((await listPrograms(restored)).map(({ name }) => name)).toEqual(['before'])
})

test('restores the backup of a stopped server, and keeps the replaced database', async () => {
  const dataDir = await makeDataDir()
  const file = join(await makeTemporaryFolder(), 'backup.tar.gz')
  await addProgram(dataDir, 'before')
  expect(await backUp(dataDir, file)).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^Backed up the database in .* \(server stopped\) to .*backup\.tar\.gz, \d+ bytes\.$/,
    ),
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  await addProgram(dataDir, 'after')
  const rejected = await restore(dataDir, file)
  expect(rejected).toMatchObject({ code: 1, output: expect.stringMatching(/^There is a database in .*--force/) })
  expect(await listPrograms(dataDir)).toHaveLength(2)

  const forced = await restore(dataDir, file, '--force')
  expect(forced).toMatchObject({ code: 0, output: expect.stringMatching(/previous database is in .*db\.replaced-/) })
  expect((await listPrograms(dataDir)).map(({ name }) => name)).toEqual(['before'])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('db')).sort()).toEqual([
    'db',
    expect.stringMatching(/^db\.replaced-/),
  ])
})

test('a running server writes during a backup, and the backup has all writes acknowledged before it', async () => {
  const dataDir = await makeDataDir()
  const file = join(await makeTemporaryFolder(), 'backup.tar.gz')
  const server = startChild('test/support/writer.ts', ['write'], { DATA_DIR: dataDir })
  await server.waitFor('acknowledged')
  const before = server.lines.filter((line) => line.startsWith('ack')).map((line) => line.split(' ')[1])
  expect(await backUp(dataDir, file)).toMatchObject({ code: 0, output: expect.stringContaining('(server running)') })
  const linesAtEnd = server.lines.length
  await expect.poll(() => server.lines.length).toBeGreaterThan(linesAtEnd)
  await expect.poll(async () => (await readdir(dataDir)).filter((name) => name.startsWith('db.tmp'))).toEqual([])
  server.process.kill('SIGKILL')
  await server.exited

  const restored = join(await makeTemporaryFolder(), 'data')
  expect(await restore(restored, file)).toMatchObject({ code: 0 })
  const programs = await listPrograms(restored)
  expect(programs.map(({ id }) => id)).toEqual(expect.arrayContaining(before))
  expect(programs.filter(({ name }) => !name.startsWith('written'))).toEqual([])
})

test('restore fails while a server uses the data directory', async () => {
  const dataDir = await makeDataDir()
  const file = join(await makeTemporaryFolder(), 'backup.tar.gz')
  await writeFile(file, '')
  const server = startChild('test/support/writer.ts', [], { DATA_DIR: dataDir })
  await server.waitFor('ready')
  expect(await restore(dataDir, file, '--force')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Another process uses the data directory/),
  })
})

test.each([
  ['is cut short', (file: string) => truncate(file, 100_000)],
  ['is not an archive', (file: string) => writeFile(file, 'hello')],
  ['is an archive of other files', packOtherFiles],
  ['has a flipped bit', flipBit],
])('a backup that %s is rejected, and nothing is changed', async (_, damage) => {
  const dataDir = await makeDataDir()
  const existing = join(dataDir, 'db', 'existing')
  await writeFile(existing, 'still here')
  const file = join(await makeTemporaryFolder(), 'backup.tar.gz')
  await writeArchive(inject('databases').dataDir.concat('/db'), createWriteStream(file))
  await damage(file)
  const before = await readdir(dataDir)
  const restoring = restoreDatabase(dataDir, file, true, new Date())
  await expect(restoring).rejects.toThrow(/^[^\n]*backup\.tar\.gz cannot be restored, nothing was changed: [^\n]+$/)
  expect(await readdir(dataDir)).toEqual(before)
  expect(await readFile(existing, 'utf8')).toBe('still here')
})

test('backup fails when the file exists or its folder does not', async () => {
  const dataDir = await makeDataDir()
  const folder = await makeTemporaryFolder()
  await writeFile(join(folder, 'taken'), 'mine')
  expect(await backUp(dataDir, join(folder, 'taken'))).toMatchObject({
    code: 1,
    output: expect.stringContaining('already exists'),
  })
  expect(await readFile(join(folder, 'taken'), 'utf8')).toBe('mine')
  expect(await backUp(dataDir, join(folder, 'no', 'file'))).toMatchObject({
    code: 1,
    output: expect.stringContaining('does not exist'),
  })
})

test('backup fails without a database, and does not create one', async () => {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  expect(await backUp(dataDir, join(await makeTemporaryFolder(), 'file'))).toMatchObject({
    code: 1,
    output: expect.stringContaining(`There is no database in ${dataDir} (DATA_DIR).`),
  })
  expect(existsSync(dataDir)).toBe(false)
})

test('with DATABASE_URL both commands refer to pg_dump and pg_restore', async () => {
  const env = { DATABASE_URL: 'postgres://localhost/x' }
  const commands = [startChild('src/cli/backup.ts', ['f'], env), startChild('src/cli/restore.ts', ['f'], env)]
  const [backup, restored] = await Promise.all(commands.map((command) => command.exited))
  expect(backup).toMatchObject({ code: 1, output: expect.stringContaining('pg_dump') })
  expect(restored).toMatchObject({ code: 1, output: expect.stringContaining('pg_restore') })
})

test('without a file name both commands name the missing argument', async () => {
  expect(await backUp('data')).toMatchObject({ code: 1, output: expect.stringMatching(/^Missing required argument/) })
  expect(await restore('data', '--what')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Unknown option '--what'.*tributary restore --help$/s),
  })
})

test('an archive cannot write outside the target folder', async () => {
  const folder = await makeTemporaryFolder()
  const file = join(folder, 'evil.tar.gz')
  const { pack } = await import('tar-stream')
  const archive = pack()
  archive.entry({ name: '../evil' }, 'x')
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(file))
  await mkdir(join(folder, 'into'))
  await expect(readArchive(createReadStream(file), join(folder, 'into'))).rejects.toThrow('outside of itself')
  expect(existsSync(join(folder, 'evil'))).toBe(false)
})

async function packOtherFiles(file: string): Promise<void> {
  const { pack } = await import('tar-stream')
  const archive = pack()
  archive.entry({ name: 'holiday.jpg' }, 'x')
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(file))
}

async function flipBit(file: string): Promise<void> {
  const bytes = await readFile(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(file, bytes)
}
