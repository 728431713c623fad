import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashSecret } from '../../../src/modules/access/api-keys/secret.ts'
import { findKeyByHash } from '../../../src/modules/access/api-keys/service.ts'
import { type Demo, makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { digest, now } from './rows.ts'

/** Fewer than usual: the rows themselves do not matter here. */
const months = 6

let database: TestDatabase
let demo: Demo

beforeAll(async () => {
  database = await createTestDatabase()
  demo = (await makeDemoProgram(database.db, { now, months })) as Demo
})
afterAll(() => database.drop())

it('returns the secret of an API key of the program', async () => {
  const key = await findKeyByHash(database, hashSecret(demo.secret))
  expect(key?.program.id).toBe(demo.program.id)
  expect(await database.db.apiKey.count()).toBe(1)
})

it('records no events of the rows, unless asked for', async () => {
  expect(await database.db.event.count()).toBe(0)
})

it('creates nothing when the database has a program', async () => {
  const before = await digest(database)
  expect(await makeDemoProgram(database.db, { now })).toBeNull()
  expect(await digest(database)).toBe(before)
  expect(await database.db.apiKey.count()).toBe(1)
})

it('creates the same rows for the same seed, others for another seed, and one program when called concurrently', async () => {
  const second = await createTestDatabase()
  const third = await createTestDatabase()
  try {
    const results = await Promise.all([1, 2, 3].map(() => makeDemoProgram(second.db, { now, months })))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await second.db.program.count()).toBe(1)
    await makeDemoProgram(third.db, { now, months, seed: 2 })
    expect(await digest(second)).toBe(await digest(database))
    expect(await digest(third)).not.toBe(await digest(database))
    expect(results.find(Boolean)?.secret).not.toBe(demo.secret)
  } finally {
    await Promise.all([second.drop(), third.drop()])
  }
})

it('rolls back when it fails, and can be run again', async () => {
  const failing = await createTestDatabase()
  try {
    await failing.db.$executeRaw`alter table payouts add constraint no_payouts check (amount_cents < 0)`
    await expect(makeDemoProgram(failing.db, { now, months })).rejects.toThrow()
    expect(await failing.db.program.count()).toBe(0)
    await failing.db.$executeRaw`alter table payouts drop constraint no_payouts`
    expect(await makeDemoProgram(failing.db, { now, months })).not.toBeNull()
  } finally {
    await failing.drop()
  }
})
