import type { PGlite } from '@electric-sql/pglite'
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { checkPg, prepareValue, wireOf } from '../../../src/database/seams/pg.ts'
import { addFsync, checkPglite, type EngineModule } from '../../../src/database/seams/pglite.ts'
import { adapterOf, connectionOf, runtimeModels, startingOn } from '../../../src/database/seams/prisma.ts'
import type { PrismaClient } from '../../../src/generated/prisma/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { isFull } from '../../support/engine.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())
const { postgres } = inject('databases')

describe('pg', () => {
  test('pg still has the details of a client', () => {
    expect(() => checkPg()).not.toThrow()
  })

  test('pg still writes parameters as text', () => {
    expect(prepareValue(['a', null])).toBe('{"a",NULL}')
  })

  test.skipIf(!postgres)(
    'pg still notes which statements a connection has prepared (needs TEST_DATABASE_URL)',
    async () => {
      const client = new pg.Client(postgres?.serverUrl)
      await client.connect()
      await client.query({ name: 'one', text: 'select 1' })
      expect(wireOf(client).parsedStatements).toEqual({ one: 'select 1' })
      await client.end()
    },
  )
})

describe('Prisma', () => {
  test('Prisma still has the names of tables and columns in its client', () => {
    const { Affiliate } = runtimeModels(database.db)
    expect(Affiliate?.dbName).toBe('affiliates')
    expect(Affiliate?.fields).toContainEqual(expect.objectContaining({ name: 'programId', dbName: 'program_id' }))
  })

  test.skipIf(!isFull)(
    'Prisma still lets reads of models be replaced, except in transactions (needs ENGINE=full)',
    async () => {
      const own = (read: PromiseLike<unknown>) => 'viaPrisma' in read
      expect(own(database.db.program.findMany())).toBe(true)
      await database.db.$transaction(async (tx) => {
        expect(own(tx.program.findMany())).toBe(false)
      })
    },
  )

  test.skipIf(!postgres)(
    "Prisma's adapter still has the pool and the connection of a transaction (needs TEST_DATABASE_URL)",
    async () => {
      const pool = new pg.Pool({ connectionString: postgres?.serverUrl ?? '' })
      const adapter = await adapterOf(pool, { disposeExternalPool: true }).connect()
      const client = await pool.connect()
      const transaction = await startingOn(adapter, { connect: (async () => client) as pg.Pool['connect'] })()
      expect(connectionOf(transaction)).toBe(client)
      await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] })
      await transaction.rollback()
      await adapter.dispose()
    },
  )
})

test.each<[string, () => unknown, string]>([
  ['pg', () => checkPg({} as pg.Client), 'client.connection, '],
  ['@electric-sql/pglite', () => checkPglite({} as PGlite), 'pglite._runExclusiveTransaction(), '],
  ['@electric-sql/pglite', () => addFsync({ FS: {} } as EngineModule, () => {}), 'NODEFS.stream_ops, '],
  ['@prisma/client', () => runtimeModels({} as PrismaClient), 'client._runtimeDataModel.models, '],
  ['@prisma/adapter-pg', () => startingOn({} as SqlDriverAdapter, {} as pg.Pool), 'adapter.client. '],
  ['@prisma/adapter-pg', () => connectionOf({} as Transaction), 'transaction.client. '],
])('a detail of %s that is gone is named, with what to do', (library, check, gone) => {
  expect(check).toThrow(`The installed version of ${library} no longer has: ${gone}`)
  expect(check).toThrow('Install the version that package.json names, or adapt src/database/seams/')
})
