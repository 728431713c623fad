import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { statement } from '../../src/database/client/sql.ts'
import { openDatabase } from '../../src/database/open.ts'
import { checkPooler, keepsPrepared } from '../../src/database/postgres/pooler.ts'
import { createPostgresClone, silentLog as log, setForPooler } from '../support/database.ts'
import { databaseUrlOf } from '../support/global-setup.ts'

const needsPostgres = !inject('databases').postgres

const cloneDatabase = async () => {
  const { url, drop } = await createPostgresClone()
  onTestFinished(drop)
  return url
}

test.skipIf(needsPostgres)(
  'settings that the role lacks are listed as statements to run (needs TEST_DATABASE_URL)',
  async () => {
    const url = await cloneDatabase()
    const checked = checkPooler({ databaseUrl: url, databaseDirectUrl: url, log })
    await expect(checked).rejects.toThrow(/ALTER ROLE \S+ IN DATABASE \S+ SET statement_timeout = '10000'; -- now 0/)
  },
)

test.skipIf(needsPostgres)(
  'a pooler that leads to another database than the direct address is rejected (needs TEST_DATABASE_URL)',
  async () => {
    const url = await cloneDatabase()
    await setForPooler(url)
    const databaseDirectUrl = databaseUrlOf(url, 'postgres')
    await expect(checkPooler({ databaseUrl: url, databaseDirectUrl, log })).rejects.toThrow('different databases')
  },
)

test.skipIf(needsPostgres)(
  'behind a pooler, no statement stays prepared in a session, and reads and writes work (needs TEST_DATABASE_URL)',
  async () => {
    const url = await cloneDatabase()
    await setForPooler(url)
    const options = { databaseUrl: url, databaseDirectUrl: url, dataDir: '', poolSize: 1, log }
    const { db, close } = await openDatabase(options)
    onTestFinished(close)
    const sql = db.sql
    const prepared = statement<{ names: string }>('select count(*) as names from pg_prepared_statements')
    for (let read = 0; read < 3; read += 1) {
      expect(await db.program.findMany({ where: { name: 'nothing' } })).toEqual([])
      expect(await sql.textRows(statement('select $1::text'), ['x'])).toEqual([['x']])
      expect(await sql.query(prepared)).toEqual([{ names: '0' }])
    }
    const kept = await sql.transaction(async (tx) => {
      await tx.defer(statement('select 1'))
      return await tx.textRows(statement(`select current_setting('TimeZone')`))
    })
    expect(kept).toEqual([['UTC']])
  },
)

test.skipIf(needsPostgres)(
  'behind a pooler that keeps no names, a statement is not cancelled: PgBouncer 1.18 can crash then (needs TEST_DATABASE_URL)',
  async () => {
    const url = await cloneDatabase()
    await setForPooler(url)
    const overAtOnce = {
      onOver: (end: () => void) => {
        end()
        return () => {}
      },
    }
    const sleep = statement<{ done: number }>('select 1 as done from pg_sleep(0.5)')
    const through = await openDatabase({ databaseUrl: url, databaseDirectUrl: url, dataDir: '', log })
    onTestFinished(through.close)
    expect(await through.db.sql.query(sleep, [], overAtOnce)).toEqual([{ done: 1 }])
  },
)

test.skipIf(needsPostgres)(
  'names are used only where two connections can prepare the same one in a session (needs TEST_DATABASE_URL)',
  async () => {
    const session = new pg.Client(await cloneDatabase())
    onTestFinished(() => session.end())
    await session.connect()
    // One session that both connections reach. A pooler that keeps names translates them.
    const connectionOf = (rename: (name: string) => string) =>
      ({
        query: ({ name, text }: { name: string; text: string }) =>
          session.query(`prepare ${rename(name)} as ${text}`).then(() => session.query(text)),
      }) as unknown as pg.Client
    const dropsNames = connectionOf((name) => name)
    expect(await keepsPrepared(dropsNames, dropsNames)).toBe(false)
    expect(
      await keepsPrepared(
        connectionOf((name) => `${name}_first`),
        connectionOf((name) => `${name}_second`),
      ),
    ).toBe(true)
  },
)
