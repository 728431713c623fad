import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statement } from '../../../src/database/client/sql.ts'
import { type Model, readModels } from '../../../src/database/reader/models.ts'
import type { AppDb } from '../../../src/kernel/db.ts'
import { createMemoryDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { examples } from '../../support/examples.ts'
import { type Known, queryOf, whereOf } from './queries.ts'
import { insertRows } from './rows.ts'

const databases: Record<string, TestDatabase> = {}
beforeAll(async () => {
  databases.embedded = await createMemoryDatabase()
  databases.tested = await createTestDatabase()
})
afterAll(() => Promise.all(Object.values(databases).map(({ drop }) => drop())))

type Method = (args: object) => Promise<unknown>
type Delegate = Record<'findMany' | 'findFirst' | 'findUnique' | 'findUniqueOrThrow' | 'count', Method>

const keyOf = (db: unknown, { key }: Model) => (db as Record<string, Delegate>)[key] as Delegate

/** Runs a method by the reader and, in a transaction, by Prisma. An error is returned by its code. */
async function both(db: AppDb, model: Model, method: keyof Delegate, args: object) {
  const settled = (result: Promise<unknown>) =>
    result.catch((error: { code?: string; name: string }) => error.code ?? error.name)
  const read = await settled(keyOf(db, model)[method](args))
  const byPrisma = await settled(db.$transaction((tx) => keyOf(tx, model)[method](args)))
  return { read, byPrisma }
}

describe.each(['embedded', 'tested'])('on the %s database', (name) => {
  let db: AppDb
  let models: Map<string, Model>
  let names: string[]
  const modelOf = (name: string) => models.get(name) as Model
  const known: Known = { rows: new Map(), uuids: new Set() }
  /** Statements of the reader. The queries in these tests run through Prisma only in transactions. */
  let compiled = 0
  beforeAll(async () => {
    db = (databases[name] as TestDatabase).db
    await insertRows(db, 1)
    models = readModels(db)
    for (const model of models.values()) known.rows.set(model.name, (await keyOf(db, model).findMany({})) as [])
    const uuids = await db.sql.query(
      statement<{ name: string }>(`
        select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = current_schema() and data_type = 'uuid'`),
    )
    known.uuids = new Set(uuids.map(({ name }) => name))
    names = [...models.keys()].filter((name) => (known.rows.get(name) as []).length > 0)
    const sql = db.sql
    const textRows = sql.textRows.bind(sql)
    sql.textRows = (...args) => {
      compiled += 1
      return textRows(...args)
    }
  })
  const runs = { numRuns: examples(150) }

  it('random queries return what Prisma returns, and most are compiled', async () => {
    let queries = 0
    const before = compiled
    const property = fc.asyncProperty(
      fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), queryOf(modelOf(name), known))),
      async ([name, query]) => {
        const model = modelOf(name)
        queries += 1
        const { read, byPrisma } = await both(db, model, 'findMany', query)
        expect(read).toEqual(byPrisma)
      },
    )
    await fc.assert(property, runs)
    expect((compiled - before) / queries).toBeGreaterThan(0.7)
  })

  it('random filters match the rows that Prisma matches, and counts are the same', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), whereOf(modelOf(name), known, 3))),
      async ([name, where]) => {
        const model = modelOf(name)
        for (const method of ['count', 'findFirst'] as const) {
          const orderBy = [...(model.uniques.values().next().value as string[])].map((field) => ({ [field]: 'desc' }))
          const { read, byPrisma } = await both(db, model, method, method === 'count' ? { where } : { where, orderBy })
          expect(read).toEqual(byPrisma)
        }
      },
    )
    await fc.assert(property, runs)
  })

  it('one row is found by a unique key, and a missing one is reported as by Prisma', async () => {
    const affiliate = modelOf('Affiliate')
    const { programId, id } = (known.rows.get('Affiliate') as { programId: string; id: string }[])[0] as {
      programId: string
      id: string
    }
    const include = {
      campaign: true,
      links: { orderBy: { id: 'asc' } },
      coupon: true,
      _count: { select: { sales: true } },
    }
    const wheres = [
      { programId_id: { programId, id } },
      { programId_id: { programId, id }, links: { some: {} } },
      { programId_id: { programId, id: programId } },
      { programId_id: { programId, id: 'not an id' } },
      { programId_id: { programId } },
      { programId },
      {},
    ]
    for (const where of wheres) {
      for (const method of ['findUnique', 'findUniqueOrThrow'] as const) {
        const { read, byPrisma } = await both(db, affiliate, method, { where, include })
        expect(read).toEqual(byPrisma)
      }
    }
    expect(await both(db, affiliate, 'findUniqueOrThrow', { where: wheres[2] })).toMatchObject({ read: 'P2025' })
  })

  it('values that Prisma rejects are rejected', async () => {
    const rejected = [
      { where: { id: 'not an id' } },
      { where: { id: { in: ['not an id'] } } },
      { where: { state: 'unknown' } },
      { where: { visitors: '1' } },
      { where: { unknown: 1 } },
      { select: { unknown: true } },
      { select: {} },
      { select: { id: true }, include: { links: true } },
      { where: { createdAt: new Date(Number.NaN) } },
      { orderBy: { id: 'up' } },
    ]
    for (const args of rejected) {
      const { read, byPrisma } = await both(db, modelOf('Affiliate'), 'findMany', args)
      expect(read).toEqual(byPrisma)
      expect(read).toEqual(expect.any(String))
    }
  })

  it('several look-ups in one tick return their own rows', async () => {
    const rows = known.rows.get('Affiliate') as { programId: string; id: string }[]
    const found = await Promise.all(
      rows.map(({ programId, id }) => db.affiliate.findUnique({ where: { programId_id: { programId, id } } })),
    )
    expect(found).toEqual(rows)
  })

  it('a transaction reads its own writes, and a list of reads is one transaction', async () => {
    const [{ programId, id }] = known.rows.get('Campaign') as [{ programId: string; id: string }]
    const where = { programId_id: { programId, id } }
    const before = compiled
    const inside = await db.$transaction(async (tx) => {
      await tx.campaign.update({ where, data: { name: 'changed inside' } })
      return (await tx.campaign.findMany({ where: { programId, id } }))[0]?.name
    })
    expect(inside).toBe('changed inside')
    expect(compiled).toBe(before)
    const [campaigns, count] = await db.$transaction([db.campaign.findMany({}), db.campaign.count()])
    expect(campaigns).toHaveLength(count)
    expect(compiled).toBe(before)
  })

  it('relations join the columns of the foreign keys in the database', async () => {
    const rows = await db.sql.query(
      statement<{ from: string; to: string; pairs: string[] }>(`
        select c.conrelid::regclass::text as from, c.confrelid::regclass::text as to,
          json_agg(a.attname || ' = ' || f.attname order by n)::jsonb as pairs
        from pg_constraint c, unnest(c.conkey, c.confkey) with ordinality as k(own, other, n),
          pg_attribute a, pg_attribute f
        where c.contype = 'f' and a.attrelid = c.conrelid and a.attnum = k.own
          and f.attrelid = c.confrelid and f.attnum = k.other
        group by c.oid, c.conrelid, c.confrelid`),
    )
    const inDatabase = rows.map(({ from, to, pairs }) => `${from} -> ${to}: ${pairs.join(', ')}`)
    const owners = [...models.values()].flatMap(({ table, relations }) =>
      [...relations.values()]
        .filter(({ isOwner }) => isOwner)
        .map(({ target, pairs }) => {
          const columns = pairs.map(([here, there]) => `${here.column} = ${there.column}`)
          return `${table} -> ${target.table}: ${columns.join(', ')}`
        }),
    )
    expect(inDatabase).toEqual(expect.arrayContaining(owners))
  })
})
