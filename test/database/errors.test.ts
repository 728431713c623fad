import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTransient, isUnavailable, isUniqueViolation } from '../../src/database/client/errors.ts'
import { mintId } from '../../src/kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { programNames } from '../support/program-names.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
const prismaError = (code: string) => Object.assign(new Error('from Prisma'), { code })
const driverError = (cause: object) =>
  Object.assign(new Error('from the driver'), { name: 'DriverAdapterError', cause })

test('recognizes a unique violation, in writes with its columns and in raw queries', async () => {
  const { db } = database
  const at = new Date()
  const dates = { createdAt: at, updatedAt: at }
  const programId = mintId(at)
  await db.program.create({
    data: { id: programId, name: 'p', url: 'u', currency: 'eur', ...programNames(), ...dates },
  })
  const data = { programId, id: mintId(at), email: 'a@b.c', emailKey: 'a@b.c', ...dates }
  await db.customer.create({ data })
  const byKey = await failureOf(db.customer.create({ data: { ...data, id: mintId(at) } }))
  expect(isUniqueViolation(byKey)).toBe(true)
  expect(isUniqueViolation(byKey, 'emailKey')).toBe(true)
  expect(isUniqueViolation(byKey, 'email_key')).toBe(true)
  expect(isUniqueViolation(byKey, 'id')).toBe(false)
  expect(isTransient(byKey) || isUnavailable(byKey)).toBe(false)
  const raw = await failureOf(
    db.$executeRaw`INSERT INTO customers SELECT program_id, id, email, email_key, name, created_at, updated_at FROM customers`,
  )
  expect(isUniqueViolation(raw)).toBe(true)
})

test('a constraint violation, a missing row and a bug are neither unique violations nor transient nor unavailable', async () => {
  const missing = await failureOf(database.db.program.findUniqueOrThrow({ where: { id: mintId(new Date()) } }))
  const violated = await failureOf(database.db.$executeRaw`INSERT INTO programs (id) VALUES (gen_random_uuid())`)
  for (const error of [missing, violated, new Error('a bug'), undefined, 'text']) {
    expect(isUniqueViolation(error) || isTransient(error) || isUnavailable(error)).toBe(false)
  }
})

test.each<[string, unknown]>([
  ['a write conflict', prismaError('P2034')],
  ["a write conflict in the driver's error", driverError({ kind: 'TransactionWriteConflict', originalCode: '40001' })],
  ['a deadlock', driverError({ kind: 'postgres', code: '40P01', originalCode: '40P01' })],
  [
    'a deadlock in a raw query',
    Object.assign(prismaError('P2010'), { meta: { driverAdapterError: driverError({ originalCode: '40P01' }) } }),
  ],
])('%s is transient and not unavailable', (_, error) => {
  expect(isTransient(error)).toBe(true)
  expect(isUnavailable(error)).toBe(false)
})

test.each<[string, unknown]>([
  ...['P1001', 'P1017', 'P2024', 'P2028', 'P2039'].map((code) => [code, prismaError(code)] satisfies [string, unknown]),
  ['a refused connection', driverError({ kind: 'DatabaseNotReachable' })],
  ['a lock timeout', driverError({ kind: 'postgres', code: '55P03', originalCode: '55P03' })],
  ['a server shutdown', driverError({ kind: 'postgres', code: '57P01', originalCode: '57P01' })],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
  ['a server that does not respond', new Error('Query read timeout')],
  ['a socket error', prismaError('ECONNRESET')],
])('%s is unavailable and not transient', (_, error) => {
  expect(isUnavailable(error)).toBe(true)
  expect(isTransient(error)).toBe(false)
})
