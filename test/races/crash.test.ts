import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { adminToken, createTestProgram, graphqlClient } from '../support/app.ts'
import { addressesOf, createPostgresClone, silentLog } from '../support/database.ts'
import { createSeller } from '../support/factories.ts'
import { expectLegalHistories, expectNothingPaidTwice, kinds, startTraffic } from '../support/money-traffic.ts'
import { isPostgres, needsPostgres, times } from '../support/parallel.ts'
import { startServer } from '../support/server.ts'

describe.skipIf(!isPostgres)('kill -9', () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const seed = randomInt(2 ** 31)

  it(`during ${Object.keys(kinds).join(', ')} loses no acknowledged write and leaves nothing half done (seed ${seed})`, async () => {
    const { url, drop } = await createPostgresClone()
    onTestFinished(drop)
    const addresses = await addressesOf(url)
    const database = await openDatabase({ ...addresses, dataDir: tmpdir(), log: silentLog })
    onTestFinished(database.close)
    const { db } = database

    const start = () => startServer(addresses.databaseUrl, { DATABASE_DIRECT_URL: addresses.databaseDirectUrl ?? '' })
    let server = await start()
    const fetch = (request: Request) => server.fetch(request)
    const operator = graphqlClient(fetch, { Authorization: `Bearer ${adminToken}` })
    const program = await createTestProgram(fetch, operator, {})
    const coupons: string[] = []
    for (let n = 0; n < 4; n += 1) {
      coupons.push((await createSeller(program, { days_before_commissions_are_due: 0 })).coupon)
    }
    const traffic = await startTraffic(program, coupons, 20, seed)
    const names = Object.keys(kinds)
    const where = { programId: program.id }

    for (const kills of [1, 2, 3]) {
      const acknowledged: { id: string; object: string; state: string }[] = []
      let isUp = true
      let responses = 0
      const requests = times(20, async () => {
        while (isUp) {
          const name =
            traffic.random() < 0.4 ? 'report' : (names[Math.floor(traffic.random() * names.length)] as string)
          const response = await kinds[name]?.(traffic).catch(() => null)
          if (!response) continue
          responses += 1
          expect([200, 201, 404, 422], `${name}: ${JSON.stringify(response.body)}`).toContain(response.status)
          if (response.status === 200 && ['pay', 'void'].includes(name)) acknowledged.push(response.body)
        }
      })
      await expect.poll(() => responses, { timeout: 60_000, interval: 5 }).toBeGreaterThan(100)
      await server.kill()
      isUp = false
      await requests
      server = await start()

      expect(await examine(database), `after kill ${kills}`).toEqual([])
      expect(await expectLegalHistories(db, program.id)).toBeGreaterThan(20)
      await expectNothingPaidTwice(db, program.id)
      const sales = await db.sale.findMany({ where })
      const stored = new Map(sales.map(({ externalId, id }) => [externalId, id]))
      for (const [externalId, saleId] of traffic.sales) expect(stored.get(externalId)).toBe(saleId)
      for (const { id, object, state } of acknowledged) {
        const path = object === 'payout' ? `/payouts/${id}` : `/commissions/${id}`
        const { body } = await program.get(path)
        expect(body.state).toBe(state)
      }
      // A client without a response retries the report, and gets the sale that was recorded.
      const unacknowledged = sales.flatMap(({ externalId, id }) =>
        externalId && !traffic.sales.has(externalId) ? { externalId, id } : [],
      )
      for (const { externalId, id } of unacknowledged) {
        const { status, body } = await program.post('/conversions', {
          coupon: coupons[0],
          amount_cents: 1,
          external_id: externalId,
        })
        expect([status, body.duplicate, body.sale_id]).toEqual([200, true, id])
        traffic.sales.set(externalId, id)
      }
    }
    await server.kill()
  })
})
