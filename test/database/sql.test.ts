import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUnavailable, isUniqueViolation } from '../../src/database/client/errors.ts'
import { statement } from '../../src/database/client/sql.ts'
import type { SqlDatabase } from '../../src/kernel/db.ts'
import { createMemoryDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'

const databases: Record<string, TestDatabase> = {}
beforeAll(async () => {
  databases.embedded = await createMemoryDatabase({ isOwn: true })
  databases.tested = await createTestDatabase({ isOwn: true })
})
afterAll(() => Promise.all(Object.values(databases).map(({ drop }) => drop())))

const kinds = `select 9007199254740993::bigint as big, 1.50::numeric as amount, true as flag, null::text as nothing,
  '2026-01-02T03:04:05.678Z'::timestamptz as at, '{"a": [1]}'::jsonb as json, $1::text as given`
const insert = statement(`insert into link_names (name) values ($1)`)
const names = statement<{ name: string }>('select name from link_names order by name')

describe.each(['embedded', 'tested'])('on the %s database', (name) => {
  let sql: SqlDatabase
  beforeAll(async () => {
    const database = databases[name] as TestDatabase
    sql = database.db.sql
    await database.db.$executeRawUnsafe('create table link_names (name text primary key)')
  })

  it('returns the same values as the other database', async () => {
    expect(await sql.query(statement(kinds), ['text'])).toEqual([
      {
        big: '9007199254740993',
        amount: '1.50',
        flag: true,
        nothing: null,
        at: new Date('2026-01-02T03:04:05.678Z'),
        json: { a: [1] },
        given: 'text',
      },
    ])
  })

  it('commits a transaction whole, and rolls it back when anything fails', async () => {
    await sql.transaction((tx) => tx.query(insert, ['a']))
    const failed = sql.transaction(async (tx) => {
      await tx.query(insert, ['b'])
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await sql.query(names)).toEqual([{ name: 'a' }])
  })

  it('does not commit a transaction that ignored the error of a statement', async () => {
    const ignored = sql.transaction(async (tx) => {
      await tx.query(insert, ['c'])
      await tx.query(insert, ['a']).catch(() => {})
    })
    await expect(ignored).rejects.toThrow()
    expect(await sql.query(names)).toEqual([{ name: 'a' }])
  })

  it('reports a unique violation with its column', async () => {
    const error = await sql.query(insert, ['a']).catch((thrown: unknown) => thrown)
    expect(isUniqueViolation(error, 'name')).toBe(true)
    expect(isUniqueViolation(error, 'id')).toBe(false)
    expect(isUnavailable(error)).toBe(false)
  })
})
