import { cpSync, mkdirSync } from 'node:fs'
import { open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../src/database/embedded/open.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { createApp } from '../../../src/server/app.ts'
import { adminToken } from '../../support/app.ts'
import { makeDataDir, makeTemporaryFolder } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'

/** A table of about a megabyte, and an index of it. */
const fill = `CREATE TABLE entries AS SELECT n, repeat('x', 500) AS pad FROM generate_series(1, 2000) n;
  CREATE INDEX entries_n ON entries (n)`
const addPrograms = (count: number) => `
  INSERT INTO programs (id, name, url, currency, slug, publishable_key, created_at, updated_at)
  SELECT gen_random_uuid(), 'x', 'https://x.test', 'usd', 'p-' || n, 'trib_pk_' || md5(n::text), now(), now()
  FROM generate_series(1, ${count}) n`
const pathOf = async (pglite: PGlite, name: string) =>
  (await pglite.query<{ path: string }>(`SELECT pg_relation_filepath($1::regclass) AS path`, [name])).rows[0]?.path ??
  ''

/** A database that was closed, with the table. */
async function createFilled(...more: string[]) {
  const dataDir = await makeDataDir()
  const { pglite, close } = await openEmbedded({ dataDir, log })
  await pglite.exec(fill)
  const files = { table: await pathOf(pglite, 'entries'), index: await pathOf(pglite, 'entries_n') }
  for (const sql of more) await pglite.exec(sql)
  await close()
  return { dataDir, files }
}

const halve = async (path: string) => truncate(path, Math.floor((await stat(path)).size / 16_384) * 8_192)
const problemOf = (dataDir: string) =>
  openEmbedded({ dataDir, log }).then(
    ({ close }) => close().then(() => 'opened'),
    (error: Error) => error.message,
  )

const damages: [what: string, name: 'table' | 'index', damage: (path: string) => Promise<unknown>][] = [
  ['the second half of a table', 'table', halve],
  ['the second half of an index', 'index', halve],
  ['all of a table', 'table', (path) => truncate(path, 0)],
  ['the file of a table', 'table', (path) => rm(path)],
]

/** Opens the database after each damage, and takes it back. */
async function expectRefusals(dataDir: string, files: Record<'table' | 'index', string>, tried: typeof damages) {
  for (const [what, name, damage] of tried) {
    const path = join(dataDir, 'db', files[name])
    const bytes = await readFile(path)
    await damage(path)
    const problem = await problemOf(dataDir)
    expect
      .soft(problem, what)
      .toContain(`The database in ${dataDir}/db cannot be opened and may be damaged: ${files[name]}`)
    expect.soft(problem, what).toContain('Restore a backup: npm run restore -- FILE --force')
    await writeFile(path, bytes)
  }
}

it('a start finds that a file has lost a part since the database was closed, and says what to do', async () => {
  const { dataDir, files } = await createFilled()
  await expectRefusals(dataDir, files, damages)
  expect(await problemOf(dataDir)).toBe('opened')
})

it('a start opens a database that has changed, or whose note is of another state or cannot be read', async () => {
  const { dataDir, files } = await createFilled(
    'INSERT INTO entries SELECT * FROM entries',
    'DELETE FROM entries',
    'VACUUM',
  )
  expect((await stat(join(dataDir, 'db', files.table))).size).toBeGreaterThan(2_000_000)
  const note = join(dataDir, 'database-files.json')
  const { lengths, ...others } = JSON.parse(await readFile(note, 'utf8'))
  expect(lengths[files.table]).toBeGreaterThan(2_000_000)
  expect(await problemOf(dataDir)).toBe('opened')
  const longer = { ...lengths, [files.table]: lengths[files.table] + 8_192 }
  await writeFile(note, JSON.stringify({ ...others, lengths: longer, control: 'another' }))
  expect(await problemOf(dataDir)).toBe('opened')
  await writeFile(note, '{"lengths":')
  expect(await problemOf(dataDir)).toBe('opened')
})

it('after a kill too, though tables were written to, made and dropped since the last checkpoint', async () => {
  const { dataDir: closed, files } = await createFilled('CREATE TABLE dropped AS SELECT * FROM entries')
  const { pglite, close } = await openEmbedded({ dataDir: closed, log })
  await pglite.exec('INSERT INTO entries SELECT * FROM entries; DROP TABLE dropped; CREATE TABLE made (n int)')
  // What a process leaves that is killed now.
  const dataDir = join(await makeTemporaryFolder(), 'killed')
  mkdirSync(dataDir)
  for (const name of ['db', 'database-files.json']) cpSync(join(closed, name), join(dataDir, name), { recursive: true })
  await close()
  const [half, , , missing] = damages as [(typeof damages)[0], unknown, unknown, (typeof damages)[0]]
  await expectRefusals(dataDir, files, [half])
  const missingDir = join(await makeTemporaryFolder(), 'missing')
  cpSync(dataDir, missingDir, { recursive: true })
  await expectRefusals(missingDir, files, [missing])
  expect(await problemOf(dataDir)).toBe('opened')
})

describe('the doctor says that the database is damaged, and the log where', () => {
  /** Asks the doctor of a server on the directory, after `damage`. */
  async function askDoctor(dataDir: string, damage: (path: string) => Promise<unknown> = async () => {}) {
    const database = await openDatabase({ dataDir, log })
    const [found] = await database.db.$queryRaw<[{ path: string }]>`select pg_relation_filepath('programs') as path`
    await damage(join(dataDir, 'db', found.path))
    const lines: { level: string; msg: string }[] = []
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const app = createApp({ database, adminToken, publicUrl: () => '', log: createLog('info', { destination }) })
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ query: '{ doctor { findings { detail } } }' })
    const response = await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))
    const { errors } = (await response.json()) as { errors?: { message: string }[] }
    app.stop()
    await app.flush().catch(() => {})
    // A checkpoint can fail now.
    await database.close().catch(() => {})
    const logged = lines.filter(({ msg }) => msg === 'database damaged, restore a backup').map(({ level }) => level)
    return { message: errors?.[0]?.message, logged, path: join(dataDir, 'db', found.path) }
  }
  const damaged = { message: expect.stringContaining('The database is damaged. An operator has to restore a backup') }

  it('if there is none, it says nothing', async () => {
    expect(await askDoctor(await makeDataDir())).toMatchObject({ message: undefined, logged: [] })
  })

  it('if a file loses its end meanwhile', async () => {
    const dataDir = await makeDataDir()
    const { pglite, close } = await openEmbedded({ dataDir, log })
    await pglite.exec(`${addPrograms(200)}; ANALYZE programs`)
    await close()
    expect(await askDoctor(dataDir, halve)).toMatchObject({ ...damaged, logged: ['fatal'] })
  })

  it('if a page has other bytes', async () => {
    const dataDir = await makeDataDir()
    const { pglite, close } = await openEmbedded({ dataDir, log })
    await pglite.exec(addPrograms(1))
    const path = join(dataDir, 'db', await pathOf(pglite, 'programs'))
    await close()
    const file = await open(path, 'r+')
    await file.write(Buffer.from('other bytes'), 0, 11, 4_000)
    await file.close()
    const { message, logged } = await askDoctor(dataDir)
    expect({ message }).toEqual(damaged)
    expect(logged.length).toBeGreaterThan(0)
  })
})
