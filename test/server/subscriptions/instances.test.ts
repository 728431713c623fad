import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { adminToken, createInstance, createTestApp } from '../../support/app.ts'
import { createPostgresClone, silentLog } from '../../support/database.ts'
import { subscribe } from '../../support/events.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { isPostgres, needsPostgres } from '../../support/parallel.ts'

const sales = 'subscription { saleReported { externalId } }'

describe.skipIf(!isPostgres)(`two instances on one database (${needsPostgres})`, async () => {
  if (!isPostgres) return
  const { url, drop } = await createPostgresClone()
  const options = { databaseUrl: url, dataDir: '/nowhere', log: silentLog }
  const [here, there] = [await openDatabase(options), await openDatabase(options)]
  const test = await createTestApp({
    database: {
      ...here,
      drop: () =>
        here
          .close()
          .then(() => there.close())
          .then(drop),
    },
  })
  const other = createInstance({
    database: there,
    adminToken,
    publicUrl: () => 'http://localhost:4001',
    log: silentLog,
    now: () => test.clock.now,
  })
  it('changes at one instance reach all subscribers of the other', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const events = [await subscribe(other.fetch, program, sales), await subscribe(other.fetch, program, sales)]
    await reportSale(program, { coupon, external_id: 'inv_1' })
    for (const { next } of events) expect(await next()).toEqual({ data: { saleReported: { externalId: 'inv_1' } } })
    for (const { close } of events) await close()
  })

  it('a sale that is committed after a later one is not missed', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const events = await subscribe(other.fetch, program, sales)
    const slow = new pg.Client({ connectionString: url })
    await slow.connect()
    try {
      // Holds the external id, so that the first sale is committed after the second.
      await slow.query('begin')
      await slow.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${program.id} inv_1`])
      const first = reportSale(program, { coupon, external_id: 'inv_1', email: 'a@example.com' })
      await reportSale(program, { coupon, external_id: 'inv_2', email: 'b@example.com' })
      expect(await events.next()).toEqual({ data: { saleReported: { externalId: 'inv_2' } } })
      await slow.query('commit')
      await first
      expect(await events.next()).toEqual({ data: { saleReported: { externalId: 'inv_1' } } })
    } finally {
      await slow.end()
    }
    await events.close()
  })

  it('what happens while the connections are lost is sent afterwards', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const events = await subscribe(other.fetch, program, sales)
    const server = new pg.Client({ connectionString: url })
    await server.connect()
    await server.query(`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    await server.end()
    await expect
      .poll(() => test.app.fetch(new Request('http://localhost:4000/readyz')).then(({ status }) => status))
      .toBe(200)
    await reportSale(program, { coupon, external_id: 'inv_3' })
    expect(await events.next()).toEqual({ data: { saleReported: { externalId: 'inv_3' } } })
    await events.close()
  })
})
