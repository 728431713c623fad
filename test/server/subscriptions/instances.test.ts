import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { createApp } from '../../../src/server/app.ts'
import { adminToken, createTestApp } from '../../support/app.ts'
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
  const other = createApp({
    database: there,
    adminToken,
    publicUrl: () => 'http://localhost:4001',
    log: silentLog,
    now: () => test.clock.now,
  })
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  afterAll(() => server.end().catch(() => {}))
  const listeners = async (): Promise<number[]> => {
    const { rows } = await server.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'tributary events'`,
    )
    return rows.map(({ pid }) => pid)
  }

  it('changes at one instance reach all subscribers of the other over one connection', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    expect(await listeners()).toEqual([])
    const events = [await subscribe(other.fetch, program, sales), await subscribe(other.fetch, program, sales)]
    expect(await listeners()).toHaveLength(1)
    await reportSale(program, { coupon, external_id: 'inv_1' })
    for (const { next } of events) expect(await next()).toEqual({ data: { saleReported: { externalId: 'inv_1' } } })
    for (const { close } of events) await close()
    await expect.poll(listeners).toEqual([])
  })

  it('a lost connection is opened again', async () => {
    const program = await test.createProgram()
    const { coupon } = await createSeller(program)
    const events = await subscribe(other.fetch, program, sales)
    const [lost] = await listeners()
    await server.query('select pg_terminate_backend($1)', [lost])
    await expect
      .poll(async () => (await listeners()).filter((pid) => pid !== lost), { timeout: 10_000 })
      .toHaveLength(1)
    // It is there; a moment later it listens.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await reportSale(program, { coupon, external_id: 'inv_2' })
    expect(await events.next()).toEqual({ data: { saleReported: { externalId: 'inv_2' } } })
    await events.close()
  })
})
