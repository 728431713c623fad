import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTransaction } from '../../src/database/transaction.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
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
let chosen: TestDatabase
beforeAll(async () => {
  embedded = await createMemoryDatabase()
  chosen = await createTestDatabase()
})
afterAll(async () => {
  await embedded.drop()
  await chosen.drop()
})

const addProgram = async (db: PrismaClient) => (await db.program.create({ data: programOf('counter 0') })).id

/** Adds one to the number in a program's name, with a pause in which others could slip in. */
async function countUp(db: PrismaClient, id: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM programs WHERE id = ${id}::uuid FOR UPDATE`
    const { name } = await tx.program.findUniqueOrThrow({ where: { id } })
    await pause(2)
    await tx.program.update({ where: { id }, data: { name: `counter ${Number(name.split(' ')[1]) + 1}` } })
  })
}

test.each([
  ['embedded', () => embedded],
  ['the database under test', () => chosen],
])('20 transactions at once and queries beside them all succeed, and each sees only whole ones: %s', async (_, get) => {
  const { db } = get()
  const id = await addProgram(db)
  const transactions = Promise.all(Array.from({ length: 20 }, () => countUp(db, id)))
  const beside = Promise.all(Array.from({ length: 60 }, () => db.program.findUniqueOrThrow({ where: { id } })))
  const written = Promise.all(
    Array.from({ length: 20 }, (_, n) => db.program.create({ data: programOf(`beside ${n}`) })),
  )
  await transactions
  expect(await beside).toHaveLength(60)
  expect(await written).toHaveLength(20)
  expect(await db.program.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'counter 20' })
})

test('embedded: a query outside a transaction waits for it and never runs inside it', async () => {
  const { db } = embedded
  const data = programOf('rolled back')
  const outside = programOf('outside')
  let isOver = false
  let besides: Promise<unknown> = Promise.resolve()
  const transaction = withTransaction(db, async (tx) => {
    await tx.program.create({ data })
    besides = Promise.all([
      db.program.create({ data: outside }).then(() => expect(isOver).toBe(true)),
      db.program.findUnique({ where: { id: data.id } }).then((found) => expect(found).toBeNull()),
    ])
    await pause(100)
    isOver = true
    throw new Error('changed my mind')
  })
  await expect(transaction).rejects.toThrow('changed my mind')
  await besides
  // Had it run inside, the rollback would have taken it along.
  expect(await db.program.findUnique({ where: { id: outside.id } })).not.toBeNull()
})

test('embedded: 100 transactions in a queue start without a timeout', async () => {
  const { db } = embedded
  const id = await addProgram(db)
  await Promise.all(Array.from({ length: 100 }, () => countUp(db, id)))
  expect(await db.program.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'counter 100' })
})

test.each([
  ['embedded', () => embedded],
  ['the database under test', () => chosen],
])('a transaction that swallowed a failed statement is not reported as committed: %s', async (_, get) => {
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
  ['the database under test', () => chosen],
])('a transaction over its time is rolled back and the database goes on: %s', async (_, get) => {
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

test('embedded: a transaction that gave up waiting leaves the connection free', async () => {
  const { db } = embedded
  const long = db.$transaction(() => pause(300))
  const impatient = db.$transaction((tx) => tx.program.count(), { maxWait: 50 })
  await expect(impatient).rejects.toMatchObject({ code: 'P2028' })
  await long
  await db.program.count()
})

test('embedded: a nested write, a batch and a chosen isolation level work', async () => {
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

test('a transaction that loses a race is run again, at most three times', async () => {
  const { db } = chosen
  let runs = 0
  const lose = async () => {
    runs += 1
    throw Object.assign(new Error('deadlock detected'), {
      name: 'DriverAdapterError',
      cause: { kind: 'postgres', code: '40P01', originalCode: '40P01' },
    })
  }
  await expect(withTransaction(db, lose)).rejects.toThrow('deadlock detected')
  expect(runs).toBe(4)
  runs = 0
  expect(await withTransaction(db, async () => (runs === 0 ? await lose() : 'won'))).toBe('won')
})

test('a failure that is no lost race is not run again', async () => {
  let runs = 0
  const fail = async () => {
    runs += 1
    throw new Error('a rule says no')
  }
  await expect(withTransaction(chosen.db, fail)).rejects.toThrow('a rule says no')
  expect(runs).toBe(1)
})

test.skipIf(!process.env.TEST_DATABASE_URL)(
  'two transactions that lock each other out both succeed (one connection has no deadlock, so it needs TEST_DATABASE_URL)',
  async () => {
    const { db } = chosen
    const ids = [await addProgram(db), await addProgram(db)]
    const crossing = (order: string[]) =>
      withTransaction(db, async (tx) => {
        for (const id of order) {
          await tx.program.update({ where: { id }, data: { url: 'https://example.org' } })
          await pause(100)
        }
      })
    await Promise.all([crossing(ids), crossing(ids.toReversed())])
  },
)
