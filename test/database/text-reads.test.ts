import { expect, test } from 'vitest'
import { createPool } from '../../src/database/postgres.ts'
import { createPostgresSql } from '../../src/database/postgres-sql.ts'
import { statement } from '../../src/database/sql.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'

const withoutPostgres = !process.env.TEST_DATABASE_URL

const one = statement('select $1::int, null')
const failing = statement('select 1 / $1::int')
const listed = statement('select n::text from unnest($1::text[]) n')

test.skipIf(withoutPostgres)(
  'reads that wait for the next one are sent with it, and each has its own outcome',
  async () => {
    const { url, drop } = await createPostgresClone()
    const pool = createPool({ databaseUrl: url, poolSize: 4, log })
    const sql = createPostgresSql(pool, log)
    let sent = 0
    const { query } = pool
    pool.query = ((...args: unknown[]) => {
      sent += 1
      return (query as (...given: unknown[]) => unknown).apply(pool, args)
    }) as typeof pool.query
    for (let times = 0; times < 2; times += 1) {
      sent = 0
      const first = sql.textRowsWithNext(one, [1])
      await Promise.resolve()
      const rows = await Promise.all([first, sql.textRows(listed, [['a"', 'ä, 😀', '\\']])])
      expect(rows).toEqual([[['1', null]], [['a"'], ['ä, 😀'], ['\\']]])
      expect(sent).toBe(1)
      // Nothing follows.
      expect(await sql.textRowsWithNext(one, [2])).toEqual([['2', null]])
      expect(sent).toBe(2)
      // The first fails: the second was not run with it, and is run again.
      const [failed, found] = await Promise.allSettled([sql.textRowsWithNext(failing, [0]), sql.textRows(one, [3])])
      expect([failed, found]).toMatchObject([
        { status: 'rejected', reason: { code: '22012' } },
        { status: 'fulfilled', value: [['3', null]] },
      ])
      // The second fails: the first is there.
      const [before, after] = await Promise.allSettled([sql.textRowsWithNext(one, [4]), sql.textRows(failing, [0])])
      expect([before, after]).toMatchObject([
        { status: 'fulfilled', value: [['4', null]] },
        { status: 'rejected', reason: { code: '22012' } },
      ])
    }
    await pool.end()
    await drop()
  },
)
