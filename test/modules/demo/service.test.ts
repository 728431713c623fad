import { afterAll, beforeAll, expect, it } from 'vitest'
import { findKeyBySecret } from '../../../src/modules/access/api-keys/service.ts'
import { type Demo, makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { digest, now } from './rows.ts'

let database: TestDatabase
let demo: Demo

beforeAll(async () => {
  database = await createTestDatabase()
  demo = (await makeDemoProgram(database.db, { now })) as Demo
})
afterAll(() => database.drop())

it('gives the secret of a key that opens the program', async () => {
  const key = await findKeyBySecret(database, demo.secret)
  expect(key?.program.id).toBe(demo.program.id)
  expect(await database.db.apiKey.count()).toBe(1)
})

it('makes nothing where there is a program', async () => {
  const before = await digest(database)
  expect(await makeDemoProgram(database.db, { now })).toBeNull()
  expect(await digest(database)).toBe(before)
  expect(await database.db.apiKey.count()).toBe(1)
})

it('makes the same rows of the same seed, others of another, and one program when called several times at once', async () => {
  const second = await createTestDatabase()
  const third = await createTestDatabase()
  try {
    const made = await Promise.all([1, 2, 3].map(() => makeDemoProgram(second.db, { now })))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await second.db.program.count()).toBe(1)
    await makeDemoProgram(third.db, { now, seed: 2 })
    expect(await digest(second)).toBe(await digest(database))
    expect(await digest(third)).not.toBe(await digest(database))
    expect(made.find(Boolean)?.secret).not.toBe(demo.secret)
  } finally {
    await Promise.all([second.drop(), third.drop()])
  }
})

it('leaves nothing behind when it is cut off', async () => {
  const cut = await createTestDatabase()
  try {
    await cut.db.$executeRaw`alter table payouts add constraint no_payouts check (amount_cents < 0)`
    await expect(makeDemoProgram(cut.db, { now })).rejects.toThrow()
    expect(await cut.db.program.count()).toBe(0)
    await cut.db.$executeRaw`alter table payouts drop constraint no_payouts`
    expect(await makeDemoProgram(cut.db, { now })).not.toBeNull()
  } finally {
    await cut.drop()
  }
})
