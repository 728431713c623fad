import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { makeDataDir, makeTemporaryFolder, startChild } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'

const writer = 'test/support/writer.ts'

test('after kill -9 during writes the database recovers with every acknowledged write', async () => {
  const dataDir = await makeDataDir()
  const child = startChild(writer, ['write'], { DATA_DIR: dataDir })
  await child.waitFor('acknowledged')
  const countAcknowledged = () => child.lines.filter((line) => line.startsWith('ack')).length
  await expect.poll(countAcknowledged).toBeGreaterThan(50)
  child.process.kill('SIGKILL')
  await child.exited
  const acknowledged = child.lines.filter((line) => line.startsWith('ack')).map((line) => line.split(' ')[1])
  expect(existsSync(join(dataDir, 'db', 'postmaster.pid'))).toBe(true)

  const { db, close } = await openDatabase({ dataDir, log })
  const programs = await db.program.findMany()
  await close()
  expect(programs.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  // The interrupted transaction is either complete or absent: a program is first created with another name.
  expect(programs.filter(({ name }) => !name.startsWith('written'))).toEqual([])
})

test('a second process on the same directory is rejected within a second, with an instruction', async () => {
  const dataDir = await makeDataDir()
  const child = startChild(writer, [], { DATA_DIR: dataDir })
  await child.waitFor('ready')
  const startedAt = Date.now()
  await expect(openDatabase({ dataDir, log })).rejects.toThrow(
    `Another process uses the data directory ${dataDir}. Stop it first, or give this one its own DATA_DIR.`,
  )
  expect(Date.now() - startedAt).toBeLessThan(1_000)
  child.process.kill('SIGTERM')
  expect(await child.exited).toMatchObject({ code: 0 })
})

test('a suspended process (SIGSTOP) still owns its directory', async () => {
  const dataDir = await makeDataDir()
  const child = startChild(writer, [], { DATA_DIR: dataDir })
  await child.waitFor('ready')
  child.process.kill('SIGSTOP')
  await expect(openDatabase({ dataDir, log })).rejects.toThrow('Another process uses')
})

test('a first start that was killed does not prevent the next start', async () => {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  await mkdir(join(dataDir, 'db.tmp-new', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'db.tmp-new', 'PG_VERSION'), '18\n')
  await mkdir(join(dataDir, 'db'))
  const { close, ping } = await openDatabase({ dataDir, log })
  await ping()
  await close()
  expect((await readdir(dataDir)).sort()).toEqual(['database-created', 'database-files.json', 'db'])
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'db'))).mode & 0o777).toBe(0o700)
})
