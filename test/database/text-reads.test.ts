import { expect, test } from 'vitest'
import { plannedOnce, statement } from '../../src/database/client/sql.ts'
import { createPool } from '../../src/database/postgres/open.ts'
import { createPostgresSql } from '../../src/database/postgres/sql.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'

const withoutPostgres = !process.env.TEST_DATABASE_URL

const one = statement('select $1::int, null')
const failing = statement('select 1 / $1::int')
const listed = statement('select n::text from unnest($1::text[]) n')

/** Counts the messages that reads are sent in. */
async function openCounted() {
  const { url, drop } = await createPostgresClone()
  const pool = createPool({ databaseUrl: url, poolSize: 4, log })
  let sent = 0
  const { query } = pool
  pool.query = ((...args: unknown[]) => {
    sent += 1
    return (query as (...given: unknown[]) => unknown).apply(pool, args)
  }) as typeof pool.query
  const sentBy = async <T>(read: () => Promise<T>): Promise<[sent: number, result: T]> => {
    sent = 0
    const result = await read()
    return [sent, result]
  }
  const close = async () => {
    await pool.end()
    await drop()
  }
  return { sql: createPostgresSql(pool, log), sentBy, close }
}

test.skipIf(withoutPostgres)('a short read and a page are one message, and each has its own outcome', async () => {
  const { sql, sentBy, close } = await openCounted()
  // The second time, the statements are prepared.
  for (let times = 0; times < 2; times += 1) {
    const keyAndPage = () => {
      const key = sql.sharedTextRows(one, [1])
      return Promise.resolve().then(() => Promise.all([key, sql.textRows(listed, [['a"', 'ä, 😀', '\\']])]))
    }
    expect(await sentBy(keyAndPage)).toEqual([1, [[['1', null]], [['a"'], ['ä, 😀'], ['\\']]]])
    expect(await sentBy(() => sql.sharedTextRows(one, [2]))).toEqual([1, [['2', null]]])
    // The first fails: the second was not run with it, and is run again.
    const [failed, found] = await Promise.allSettled([sql.sharedTextRows(failing, [0]), sql.textRows(one, [3])])
    expect([failed, found]).toMatchObject([
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'fulfilled', value: [['3', null]] },
    ])
    // The second fails: the first is there.
    const [before, after] = await Promise.allSettled([sql.sharedTextRows(one, [4]), sql.textRows(failing, [0])])
    expect([before, after]).toMatchObject([
      { status: 'fulfilled', value: [['4', null]] },
      { status: 'rejected', reason: { code: '22012' } },
    ])
  }
  await close()
})

test.skipIf(withoutPostgres)(
  'short reads of one turn share a message, equal ones run once, and pages are sent apart',
  async () => {
    const { sql, sentBy, close } = await openCounted()
    const short = (value: number) => sql.sharedTextRows(one, [value])
    expect(await sentBy(() => Promise.all([short(1), short(2), short(1)]))).toEqual([
      1,
      [[['1', null]], [['2', null]], [['1', null]]],
    ])
    const page = (name: string) => sql.textRows(listed, [[name]])
    const [messages, found] = await sentBy(() => Promise.all([short(1), page('a'), short(2), page('b')]))
    expect(messages).toBe(3)
    expect(found).toEqual([[['1', null]], [['a']], [['2', null]], [['b']]])
    const [ofForty, rows] = await sentBy(() => Promise.all(Array.from({ length: 40 }, (_, n) => short(n))))
    expect(ofForty).toBe(3)
    expect(rows.map(([row]) => row?.[0])).toEqual(Array.from({ length: 40 }, (_, n) => `${n}`))
    const failures = [sql.sharedTextRows(failing, [0]), sql.sharedTextRows(failing, [0]), short(1)]
    expect(await Promise.allSettled(failures)).toMatchObject([
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'fulfilled', value: [['1', null]] },
    ])
    // Values that JSON does not have.
    const large = statement('select $1::bigint::text')
    expect(await Promise.all([1n, 2n, 1n].map((value) => sql.sharedTextRows(large, [value])))).toEqual([
      [['1']],
      [['2']],
      [['1']],
    ])
    // What was shared in an earlier turn is not an answer to a later read.
    const clock = statement('select clock_timestamp()::text')
    const [[first], [second]] = [await sql.sharedTextRows(clock), await sql.sharedTextRows(clock)]
    expect(first?.[0]).not.toBe(second?.[0])
    await close()
  },
)

test.skipIf(withoutPostgres)(
  'a statement that is planned once has one plan for all values, and others do not',
  async () => {
    const { sql, close } = await openCounted()
    const columns = `generic_plans, custom_plans from pg_prepared_statements where name = $1::text`
    const once = plannedOnce(`select 'once', ${columns}`)
    const each = statement(`select 'each', ${columns}`)
    const mode = statement(`select current_setting('plan_cache_mode')`)
    // One connection runs all of it, because nothing else is read meanwhile.
    for (const times of ['1', '2', '3']) {
      expect(await sql.textRows(once, [once.name])).toEqual([['once', times, '0']])
      expect(await sql.textRows(each, [each.name])).toEqual([['each', '0', times]])
      expect(await sql.textRows(mode)).toEqual([['auto']])
    }
    await close()
  },
)
