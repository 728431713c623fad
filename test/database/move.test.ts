import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { moveToPostgres } from '../../src/database/move/open.ts'
import { openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { loadDump, makeTemporaryFolder } from '../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'

const needsPostgres = !inject('databases').postgres

/** The database of a release with data in every table that it had, embedded, and an empty database on PostgreSQL. */
async function createSourceAndTarget() {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  await loadDump(dataDir, gunzipSync(readFileSync('test/database/upgrade/0.1.0.sql.gz')).toString('utf8'))
  const { url: databaseUrl, drop } = await createPostgresClone({ empty: true })
  const move = (onProgress: Parameters<typeof moveToPostgres>[0]['onProgress'] = () => {}) =>
    moveToPostgres({ dataDir, databaseUrl, log, onProgress, check: async () => {} })
  return { dataDir, databaseUrl, drop, move }
}

async function onTarget<T>(databaseUrl: string, text: string): Promise<T[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

test.each([
  ['nonsense', '--to is not a URL.'],
  ['mysql://localhost/db', '--to must start with postgres://'],
  ['postgres://127.0.0.1:1/db', 'Check that it is running and that --to is correct.'],
])('a target that cannot be used is a problem of the option: %s', async (databaseUrl, message) => {
  const dataDir = join(await makeTemporaryFolder(), 'data')
  const moving = moveToPostgres({ dataDir, databaseUrl, log, onProgress: () => {}, check: async () => {} })
  await expect(moving).rejects.toThrow(message)
})

test.skipIf(needsPostgres)('a move copies every row, and the copy serves and writes like any database', async () => {
  const { dataDir, databaseUrl, drop, move } = await createSourceAndTarget()
  const { rows, tables } = await move()
  const { count } = (await onTarget<{ count: number }>(databaseUrl, 'select count(*)::int from sales'))[0] ?? {
    count: 0,
  }
  expect(count).toBeGreaterThan(10)
  expect(tables.find(({ name }) => name === 'sales')?.digest.count).toBe(String(count))
  expect(rows).toBeGreaterThan(100)
  const source = await openDatabase({ dataDir, log })
  const target = await openDatabase({ dataDir, databaseUrl, log })
  try {
    const everything = { orderBy: { id: 'asc' } } as const
    for (const table of ['program', 'apiKey', 'sale', 'commission', 'change', 'event'] as const) {
      const read = (db: typeof source.db) => (db[table] as typeof db.sale).findMany(everything)
      const [ours, theirs] = [await read(source.db), await read(target.db)]
      // The number of a transaction is of its own database.
      const plain = (all: object[]) => all.map((row) => ({ ...row, transaction: undefined }))
      expect(plain(theirs)).toEqual(plain(ours))
    }
    expect(await examine(target)).toEqual([])
    // Triggers and sequences work: what is written now is counted.
    const { id: programId } = await target.db.program.findFirstOrThrow()
    const { id } = await target.db.affiliate.findFirstOrThrow({ where: { programId } })
    await target.db.affiliate.delete({ where: { programId_id: { programId, id: await addAffiliate(target.db, id) } } })
    expect(await examine(target)).toEqual([])
  } finally {
    await source.close()
    await target.close()
    await drop()
  }
})

type Client = Awaited<ReturnType<typeof openDatabase>>['db']

/** A copy of an affiliate with another id and e-mail. */
async function addAffiliate(db: Client, likeId: string): Promise<string> {
  const { id: _, ownFields: __, ...like } = await db.affiliate.findFirstOrThrow({ where: { id: likeId } })
  const data = { ...like, id: '01990000-0000-7000-8000-00000000abcd', email: 'new@x.test', emailKey: 'new@x.test' }
  return (await db.affiliate.create({ data })).id
}

test.skipIf(needsPostgres)(
  'a move that was broken off goes on, and no server starts on its target meanwhile',
  async () => {
    const { dataDir, databaseUrl, drop, move } = await createSourceAndTarget()
    const breakOffAt = (table: string) =>
      move((progress) => {
        if (progress.table === table) throw new Error('broken off')
      })
    await expect(breakOffAt('sales')).rejects.toThrow('broken off')
    await expect(openDatabase({ dataDir, databaseUrl, log })).rejects.toThrow('A move into')
    const before = await onTarget(databaseUrl, 'select xmin::text, id::text from affiliates order by id')
    expect(before.length).toBeGreaterThan(0)
    await move()
    // What was there was not copied again.
    expect(await onTarget(databaseUrl, 'select xmin::text, id::text from affiliates order by id')).toEqual(before)
    await (await openDatabase({ dataDir, databaseUrl, log })).close()
    await drop()
  },
)

test.skipIf(needsPostgres)('a move begins anew if the source has changed since it was broken off', async () => {
  const { dataDir, databaseUrl, drop, move } = await createSourceAndTarget()
  const breakOff = move(({ table }) => {
    if (table === 'sales') throw new Error('broken off')
  })
  await expect(breakOff).rejects.toThrow('broken off')
  const source = await openDatabase({ dataDir, log })
  await source.db.affiliate.updateMany({ data: { firstName: 'Changed' } })
  await source.close()
  await move()
  const changed = await onTarget(databaseUrl, `select distinct first_name from affiliates`)
  expect(changed).toEqual([{ first_name: 'Changed' }])
  await drop()
})

test.skipIf(needsPostgres)('a move into a database that is not empty is rejected, and changes nothing', async () => {
  const { databaseUrl, drop, move } = await createSourceAndTarget()
  await onTarget(databaseUrl, 'create table notes (text text)')
  await expect(move()).rejects.toThrow('The target database is not empty. Create an empty database')
  expect(await onTarget(databaseUrl, `select nspname from pg_namespace where nspname = 'tributary_move'`)).toEqual([])
  await drop()
})
