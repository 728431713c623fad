import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { statement } from '../../src/database/client/sql.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createPostgresAdapter } from '../../src/database/postgres/adapter.ts'
import { createPool } from '../../src/database/postgres/open.ts'
import { createPostgresSql } from '../../src/database/postgres/sql.ts'
import { PrismaClient } from '../../src/generated/prisma/client.ts'
import { findPosition } from '../../src/listing/count.ts'
import { eventListing } from '../../src/modules/event-log/listing.ts'
import { createPostgresClone, silentLog as log } from '../support/database.ts'

const withoutPostgres = !process.env.TEST_DATABASE_URL

async function openOneConnection() {
  const { url, drop } = await createPostgresClone()
  const pool = createPool({ databaseUrl: url, poolSize: 1, log })
  const prepared = async () => {
    const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements')
    return rows.map(({ statement }) => statement)
  }
  const close = async () => {
    await pool.end()
    await drop()
  }
  return { pool, prepared, close }
}

test.skipIf(withoutPostgres)('a connection keeps a bounded number of statements, the most recently used', async () => {
  const { pool, prepared, close } = await openOneConnection()
  const sql = createPostgresSql(pool, log)
  const numbered = (index: number) => statement<{ n: number }>(`select ${index} as n`)
  for (let index = 0; index < 300; index += 1) expect(await sql.query(numbered(index))).toEqual([{ n: index }])
  const kept = await prepared()
  expect(kept.length).toBeLessThanOrEqual(256)
  expect(kept).toContain('select 299 as n')
  expect(kept).not.toContain('select 0 as n')
  const inTransaction = sql.transaction(async (tx) => {
    for (let index = 0; index < 300; index += 1) expect(await tx.query(numbered(index))).toEqual([{ n: index }])
  })
  await inTransaction
  expect((await prepared()).length).toBeLessThanOrEqual(256)
  await close()
})

test.skipIf(withoutPostgres)(
  "Prisma's statements are prepared when they are repeated, raw statements are not",
  async () => {
    const { pool, prepared, close } = await openOneConnection()
    const db = new PrismaClient({ adapter: createPostgresAdapter(pool, log) })
    for (let times = 0; times < 3; times += 1) {
      await db.program.findMany({ where: { slug: 'none' } })
      await db.$queryRaw`select * from programs where slug = ${'none'}`
    }
    const kept = await prepared()
    expect(kept.filter((text) => text.includes('programs'))).toEqual([expect.stringMatching(/^SELECT "t0"\."id"/)])
    await db.$disconnect()
    await close()
  },
)

test.skipIf(withoutPostgres)('the position of a page is one statement, which is planned once', async () => {
  const { url, drop } = await createPostgresClone()
  const { db, close } = await openDatabase({ databaseUrl: url, poolSize: 1, dataDir: tmpdir(), log })
  const programId = randomUUID()
  for (let skip = 1; skip < 5; skip += 1)
    expect(await findPosition(db, { listing: eventListing, programId, rule: { programId } }, skip)).toEqual({
      count: 0,
      id: null,
    })
  const plans = await db.$queryRaw`
    select generic_plans::int as once, custom_plans::int as "for values" from pg_prepared_statements
    where name <> '' and statement ~ 'skipped::int from position'`
  expect(plans).toEqual([{ once: 4, 'for values': 0 }])
  await close()
  await drop()
})
