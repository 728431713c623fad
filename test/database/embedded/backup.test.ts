import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { readArchive, writeArchive } from '../../../src/database/archive.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { restoreDatabase } from '../../../src/database/restore.ts'
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

test('a backup of a stopped server comes back as it was, and what it replaces is kept', async () => {
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
  const refused = await restore(dataDir, file)
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/^There is a database in .*--force/) })
  expect(await listPrograms(dataDir)).toHaveLength(2)

  const forced = await restore(dataDir, file, '--force')
  expect(forced).toMatchObject({
    code: 0,
    output: expect.stringMatching(/The previous database is in .*db\.replaced-/),
  })
  expect((await listPrograms(dataDir)).map(({ name }) => name)).toEqual(['before'])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('db')).sort()).toEqual([
    'db',
    expect.stringMatching(/^db\.replaced-/),
  ])
})

test('a running server goes on writing while it is backed up, and the backup has all it had acknowledged', async () => {
  const dataDir = await makeDataDir()
  const file = join(await makeTemporaryFolder(), 'backup.tar.gz')
  const server = startChild('test/support/writer.ts', ['write'], { DATA_DIR: dataDir })
  await server.waitFor('acknowledged')
  const before = server.lines.filter((line) => line.startsWith('ack')).map((line) => line.split(' ')[1])
  expect(await backUp(dataDir, file)).toMatchObject({ code: 0, output: expect.stringContaining('(server running)') })
  const atEnd = server.lines.length
  await expect.poll(() => server.lines.length).toBeGreaterThan(atEnd)
  await expect.poll(async () => (await readdir(dataDir)).filter((name) => name.startsWith('db.tmp'))).toEqual([])
  server.process.kill('SIGKILL')
  await server.exited

  const restored = join(await makeTemporaryFolder(), 'data')
  expect(await restore(restored, file)).toMatchObject({ code: 0 })
  const programs = await listPrograms(restored)
  expect(programs.map(({ id }) => id)).toEqual(expect.arrayContaining(before))
  expect(programs.filter(({ name }) => !name.startsWith('written'))).toEqual([])
})

test('restore refuses while a server runs', async () => {
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
  ['broke off', (file: string) => truncate(file, 100_000)],
  ['is no archive', (file: string) => writeFile(file, 'hello')],
  ['is an archive of something else', packStrangeArchive],
  ['has a flipped bit', flipBit],
])('a backup that %s is refused and changes nothing', async (_, damage) => {
  const dataDir = await makeDataDir()
  const precious = join(dataDir, 'db', 'precious')
  await writeFile(precious, 'still here')
  const file = join(await makeTemporaryFolder(), 'backup.tar.gz')
  await writeArchive(inject('databases').dataDir.concat('/db'), createWriteStream(file))
  await damage(file)
  const before = await readdir(dataDir)
  const restoring = restoreDatabase(dataDir, file, true, new Date())
  await expect(restoring).rejects.toThrow(/^[^\n]*backup\.tar\.gz cannot be restored, nothing was changed: [^\n]+$/)
  expect(await readdir(dataDir)).toEqual(before)
  expect(await readFile(precious, 'utf8')).toBe('still here')
})

test('a backup overwrites nothing and needs its folder', async () => {
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

test('without a database there is nothing to back up, and none is made', async () => {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  expect(await backUp(dataDir, join(await makeTemporaryFolder(), 'file'))).toMatchObject({
    code: 1,
    output: `There is no database in ${dataDir} (DATA_DIR).`,
  })
  expect(existsSync(dataDir)).toBe(false)
})

test('with DATABASE_URL both tools name the tools of PostgreSQL', async () => {
  const env = { DATABASE_URL: 'postgres://localhost/x' }
  const tools = [startChild('src/cli/backup.ts', ['f'], env), startChild('src/cli/restore.ts', ['f'], env)]
  const [backup, restored] = await Promise.all(tools.map((tool) => tool.exited))
  expect(backup).toMatchObject({ code: 1, output: expect.stringContaining('pg_dump') })
  expect(restored).toMatchObject({ code: 1, output: expect.stringContaining('pg_restore') })
})

test('without a file name both tools say how they are used', async () => {
  expect(await backUp('data')).toEqual({ code: 1, output: 'Usage: npm run backup -- FILE' })
  expect(await restore('data', '--what')).toEqual({ code: 1, output: 'Usage: npm run restore -- FILE [--force]' })
})

test('an archive can not write outside its folder', async () => {
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

async function packStrangeArchive(file: string): Promise<void> {
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
