import { chmod, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { OperatorError } from '../../../src/database/operator-error.ts'
import { makeDataDir, makeTemporaryFolder, startChild } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'

async function rejectionOf(dataDir: string): Promise<string> {
  const error = await openDatabase({ dataDir, log }).then(
    ({ close }) => close().then(() => new Error('it was opened')),
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(OperatorError)
  expect(error.message).not.toContain('\n')
  return error.message
}

test('a folder with other files is rejected and stays unchanged', async () => {
  const dataDir = await makeTemporaryFolder()
  await mkdir(join(dataDir, 'db'))
  await writeFile(join(dataDir, 'db', 'holiday.jpg'), 'x')
  expect(await rejectionOf(dataDir)).toMatch(
    new RegExp(`^${dataDir}/db is not empty but contains no database \\(PG_VERSION is missing\\)\\. Move it away`),
  )
  expect(await readdir(join(dataDir, 'db'))).toEqual(['holiday.jpg'])
})

test('a PostgreSQL directory as DATA_DIR is rejected', async () => {
  const dataDir = await makeDataDir()
  expect(await rejectionOf(join(dataDir, 'db'))).toContain('is itself a PostgreSQL directory')
})

test('a database of another major version is rejected, and the message has both versions', async () => {
  const dataDir = await makeDataDir()
  await writeFile(join(dataDir, 'db', 'PG_VERSION'), '17\n')
  expect(await rejectionOf(dataDir)).toMatch(
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
])('a damaged database is rejected with the cause, the path and how to restore a backup: %s', async (_, damage) => {
  const dataDir = await makeDataDir()
  await damage(join(dataDir, 'db'))
  // In its own process, as a damaged engine can hang.
  const child = startChild('test/support/writer.ts', [], { DATA_DIR: dataDir })
  const message = await child.waitFor('')
  expect(message).toMatch(new RegExp(`^The database in ${dataDir}/db cannot be opened and may be damaged: \\S.*`))
  expect(message).toContain('Restore a backup: npm run restore -- FILE --force')
  expect(await child.exited).toMatchObject({ code: 1, output: message })
})

test('a path that cannot be a directory is rejected', async () => {
  const dataDir = join(await makeTemporaryFolder(), 'file')
  await writeFile(dataDir, '')
  expect(await rejectionOf(dataDir)).toContain(`Cannot use the data directory ${dataDir}`)
})

test.each([
  ['removed', (db: string) => rm(db, { recursive: true })],
  ['emptied', (db: string) => emptyFolder(db)],
])('a used directory whose database was %s is refused until the traces of use are deleted', async (_, damage) => {
  const dataDir = await makeDataDir()
  await (await openDatabase({ dataDir, log })).close()
  await writeFile(join(dataDir, 'admin-token'), 'secret')
  await damage(join(dataDir, 'db'))
  const message = await rejectionOf(dataDir)
  expect(message).toContain(`${dataDir}/db is missing or empty, but ${dataDir} was used before`)
  expect(message).toContain('npm run restore -- FILE')
  expect(message).toContain('To start with an empty database, delete database-created and admin-token.')
  await rm(join(dataDir, 'database-created'))
  expect(await rejectionOf(dataDir)).toContain('it has admin-token')
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
