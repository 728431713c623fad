import { chmod, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { OperatorError } from '../../../src/database/operator-error.ts'
import { makeDataDir, makeTemporaryFolder, startChild } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'

async function refusalOf(dataDir: string): Promise<string> {
  const error = await openDatabase({ dataDir, log }).then(
    ({ close }) => close().then(() => new Error('it was opened')),
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(OperatorError)
  expect(error.message).not.toContain('\n')
  return error.message
}

test('a folder that holds other files is refused and stays as it is', async () => {
  const dataDir = await makeTemporaryFolder()
  await mkdir(join(dataDir, 'db'))
  await writeFile(join(dataDir, 'db', 'holiday.jpg'), 'x')
  expect(await refusalOf(dataDir)).toMatch(
    new RegExp(`^${dataDir}/db is not empty but contains no database \\(PG_VERSION is missing\\)\\. Move it away`),
  )
  expect(await readdir(join(dataDir, 'db'))).toEqual(['holiday.jpg'])
})

test('a PostgreSQL directory given as DATA_DIR is refused', async () => {
  const dataDir = await makeDataDir()
  expect(await refusalOf(join(dataDir, 'db'))).toContain('is itself a PostgreSQL directory')
})

test('a database of another major version is refused with both versions', async () => {
  const dataDir = await makeDataDir()
  await writeFile(join(dataDir, 'db', 'PG_VERSION'), '17\n')
  expect(await refusalOf(dataDir)).toMatch(
    /was created by PostgreSQL 17, but this version of Tributary reads PostgreSQL 18/,
  )
})

test.each([
  ['pg_control is cut short', async (db: string) => truncate(join(db, 'global', 'pg_control'), 100)],
  ['pg_control is missing', async (db: string) => rm(join(db, 'global', 'pg_control'))],
  ['pg_control is all zeros', async (db: string) => writeFile(join(db, 'global', 'pg_control'), Buffer.alloc(8192))],
  ['the log is missing', async (db: string) => emptyFolder(join(db, 'pg_wal'))],
  ['the tables are missing', async (db: string) => rm(join(db, 'base'), { recursive: true })],
  ['a catalog is garbage', async (db: string) => garble(join(db, 'base', '5'))],
])('a damaged database is refused with the cause, the path and how to restore: %s', async (_, damage) => {
  const dataDir = await makeDataDir()
  await damage(join(dataDir, 'db'))
  // In a process of its own: a damaged engine could hang, and must not take the tests with it.
  const child = startChild('test/support/writer.ts', [], { DATA_DIR: dataDir })
  const message = await child.waitFor('')
  expect(message).toMatch(new RegExp(`^The database in ${dataDir}/db cannot be opened and may be damaged: \\S.*`))
  expect(message).toContain('Restore a backup: npm run restore -- FILE --force')
  expect(await child.exited).toMatchObject({ code: 1, output: message })
})

test('a directory that can not be written is refused', async () => {
  const dataDir = join(await makeTemporaryFolder(), 'file')
  await writeFile(dataDir, '')
  expect(await refusalOf(dataDir)).toContain(`Cannot use the data directory ${dataDir}`)
})

test.each([
  ['removed', (db: string) => rm(db, { recursive: true })],
  ['emptied', (db: string) => emptyFolder(db)],
])('a used directory whose database was %s is refused until the traces of use are deleted', async (_, damage) => {
  const dataDir = await makeDataDir()
  await (await openDatabase({ dataDir, log })).close()
  await writeFile(join(dataDir, 'admin-token'), 'secret')
  await damage(join(dataDir, 'db'))
  const message = await refusalOf(dataDir)
  expect(message).toContain(`${dataDir}/db is missing or empty, but ${dataDir} was used before`)
  expect(message).toContain('npm run restore -- FILE')
  expect(message).toContain('To start with an empty database, delete database-created and admin-token.')
  await rm(join(dataDir, 'database-created'))
  expect(await refusalOf(dataDir)).toContain('it has admin-token')
  await rm(join(dataDir, 'admin-token'))
  await (await openDatabase({ dataDir, log })).close()
})

test('the data directory is made private', async () => {
  const dataDir = await makeDataDir()
  await chmod(dataDir, 0o755)
  await chmod(join(dataDir, 'db'), 0o755)
  await (await openDatabase({ dataDir, log })).close()
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'db'))).mode & 0o777).toBe(0o700)
})

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
}

async function garble(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (/^\d+$/.test(name)) await writeFile(join(folder, name), Buffer.alloc(8192, 0x5a))
  }
}
