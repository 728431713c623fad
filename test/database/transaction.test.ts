import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTransaction } from '../../src/database/client/transaction.ts'
import type { AppDb } from '../../src/kernel/db.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { createMemoryDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { programNames } from '../support/program-names.ts'

const at = new Date('2026-01-01T00:00:00Z')
const programOf = (name: string) => ({
  id: mintId(at),
  name,
  url: 'https://example.com',
  currency: 'eur',
  ...programNames(),
  createdAt: at,
  updatedAt: at,
})

let embedded: TestDatabase
let underTest: TestDatabase
beforeAll(async () => {
  embedded = await createMemoryDatabase()
  underTest = await createTestDatabase()
})
afterAll(async () => {
  await embedded.drop()
  await underTest.drop()
})

const addProgram = async (db: AppDb) => (await db.program.create({ data: programOf('counter 0') })).id

/** Adds one to the number in a program's name, with a pause between read and write to provoke lost updates. */
async function countUp(db: AppDb, id: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM programs WHERE id = ${id}::uuid FOR UPDATE`
    const { name } = await tx.program.findUniqueOrThrow({ where: { id } })
    await pause(2)
    await tx.program.update({ where: { id }, data: { name: `counter ${Number(name.split(' ')[1]) + 1}` } })
  })
}

test.each([
  ['embedded', () => embedded],
  ['the database under test', () => underTest],
])('20 concurrent transactions and queries outside of them all succeed, without a lost update: %s', async (_, get) => {
  const { db } = get()
  const id = await addProgram(db)
  const transactions = Promise.all(Array.from({ length: 20 }, () => countUp(db, id)))
  const reads = Promise.all(Array.from({ length: 60 }, () => db.program.findUniqueOrThrow({ where: { id } })))
  const writes = Promise.all(
    Array.from({ length: 20 }, (_, n) => db.program.create({ data: programOf(`concurrent ${n}`) })),
  )
  await transactions
  expect(await reads).toHaveLength(60)
  expect(await writes).toHaveLength(20)
  expect(await db.program.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'counter 20' })
})

test('embedded: a query outside a transaction waits for it and never runs inside it', async () => {
  const { db } = embedded
  const data = programOf('rolled back')
  const outside = programOf('outside')
  let isOver = false
  let outsideQueries: Promise<unknown> = Promise.resolve()
  const transaction = withTransaction(db, async (tx) => {
    await tx.program.create({ data })
    outsideQueries = Promise.all([
      db.program.create({ data: outside }).then(() => expect(isOver).toBe(true)),
      db.program.findUnique({ where: { id: data.id } }).then((found) => expect(found).toBeNull()),
    ])
    await pause(100)
    isOver = true
    throw new Error('roll back')
  })
  await expect(transaction).rejects.toThrow('roll back')
  await outsideQueries
  // Inside the transaction, it would have been rolled back.
  expect(await db.program.findUnique({ where: { id: outside.id } })).not.toBeNull()
})

test('embedded: 100 queued transactions start without a timeout', async () => {
  const { db } = embedded
  const id = await addProgram(db)
  await Promise.all(Array.from({ length: 100 }, () => countUp(db, id)))
  expect(await db.program.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'counter 100' })
})

test.each([
  ['embedded', () => embedded],
  ['the database under test', () => underTest],
])('a transaction that ignores a failed statement is not reported as committed: %s', async (_, get) => {
  const { db } = get()
  const data = programOf('first')
  const transaction = withTransaction(db, async (tx) => {
    await tx.program.create({ data })
    await tx.program.create({ data }).catch(() => {})
  })
  await expect(transaction).rejects.toThrow()
  expect(await db.program.findUnique({ where: { id: data.id } })).toBeNull()
  expect(await db.program.count({ where: { name: 'no such' } })).toBe(0)
})

test.each([
  ['embedded', () => embedded],
  ['the database under test', () => underTest],
])('a transaction that exceeds its timeout is rolled back, and the database stays usable: %s', async (_, get) => {
  const { db } = get()
  const data = programOf('too slow')
  const slow = db.$transaction(
    async (tx) => {
      await tx.program.create({ data })
      await pause(400)
      await tx.program.count()
    },
    { timeout: 150 },
  )
  await expect(slow).rejects.toMatchObject({ code: 'P2028' })
  expect(await db.program.findUnique({ where: { id: data.id } })).toBeNull()
})

test('embedded: a transaction that times out while waiting frees the connection', async () => {
  const { db } = embedded
  const long = db.$transaction(() => pause(300))
  const timedOut = db.$transaction((tx) => tx.program.count(), { maxWait: 50 })
  await expect(timedOut).rejects.toMatchObject({ code: 'P2028' })
  await long
  await db.program.count()
})

test('embedded: batches and isolation levels work', async () => {
  const { db } = embedded
  const [first, second] = [programOf('batch 1'), programOf('batch 2')]
  await db.$transaction([db.program.create({ data: first }), db.program.create({ data: second })])
  const level = await db.$transaction(
    (tx) => tx.$queryRaw<{ transaction_isolation: string }[]>`SHOW transaction_isolation`,
    { isolationLevel: 'Serializable' },
  )
  expect(level).toEqual([{ transaction_isolation: 'serializable' }])
  expect(await db.program.count({ where: { id: { in: [first.id, second.id] } } })).toBe(2)
})

test('a transaction with a transient error is retried, at most three times', async () => {
  const { db } = underTest
  let runs = 0
  const failTransiently = async () => {
    runs += 1
    throw Object.assign(new Error('deadlock detected'), {
      name: 'DriverAdapterError',
      cause: { kind: 'postgres', code: '40P01', originalCode: '40P01' },
    })
  }
  await expect(withTransaction(db, failTransiently)).rejects.toThrow('deadlock detected')
  expect(runs).toBe(4)
  runs = 0
  expect(await withTransaction(db, async () => (runs === 0 ? await failTransiently() : 'committed'))).toBe('committed')
})

test('a transaction with another error is not retried', async () => {
  let runs = 0
  const fail = async () => {
    runs += 1
    throw new Error('not transient')
  }
  await expect(withTransaction(underTest.db, fail)).rejects.toThrow('not transient')
  expect(runs).toBe(1)
})

test.skipIf(!process.env.TEST_DATABASE_URL)(
  'two transactions that deadlock both succeed (needs TEST_DATABASE_URL, as one connection cannot deadlock)',
  async () => {
    const { db } = underTest
    const ids = [await addProgram(db), await addProgram(db)]
    let holding = 0
    const crossing = ([first, second]: string[]) =>
      withTransaction(db, async (tx) => {
        const lock = (id?: string) => tx.program.update({ where: { id }, data: { url: 'https://example.org' } })
        await lock(first)
        holding += 1
        await expect.poll(() => holding).toBeGreaterThanOrEqual(2)
        await lock(second)
      })
    await Promise.all([crossing(ids), crossing(ids.toReversed())])
  },
)
