import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { foldDeltas } from '../../src/modules/analytics/fold.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { readFacts, totalsOf, totalsQuery } from '../modules/analytics/facts.ts'
import { createTestApp } from '../support/app.ts'
import { createSeller, recordVisit } from '../support/factories.ts'
import { kinds, startTraffic } from '../support/money-traffic.ts'
import { isPostgres, needsPostgres, stream } from '../support/parallel.ts'

describe.skipIf(!isPostgres)('analytics during concurrent writes', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()
  const { db } = app.database
  const seed = randomInt(2 ** 31)

  it(`include every write acknowledged before the read, while deltas are folded, and equal the sums of the rows in the end (seed ${seed})`, async () => {
    const program = await app.createProgram()
    const coupons: string[] = []
    const tokens: string[] = []
    for (let n = 0; n < 4; n += 1) {
      const { coupon, link } = await createSeller(program, { days_before_commissions_are_due: 0 })
      coupons.push(coupon)
      tokens.push(link.token)
    }
    const traffic = await startTraffic(program, coupons, 20, seed)
    const read = async () => {
      const { analytics } = await program.graphql(
        `{ analytics(range: { from: "1970-01-01T00:00:00Z", to: "2199-01-01T00:00:00Z" }) {
          ${totalsQuery} top(by: SALES, dimension: AFFILIATE) { value }
        } }`,
      )
      return analytics
    }
    const acknowledged = { sales: 20, visitors: 20 }
    let folds = 0
    let reads = 0
    const names = Object.keys(kinds)
    await stream(500, 24, async () => {
      const dice = traffic.random()
      if (dice < 0.15) {
        await foldDeltas(db)
        folds += 1
      } else if (dice < 0.35) {
        const least = { ...acknowledged }
        const { totals, top } = await read()
        expect(totals.sales).toBeGreaterThanOrEqual(least.sales)
        expect(totals.visitors).toBeGreaterThanOrEqual(least.visitors)
        expect(top.reduce((sum: number, { value }: { value: number }) => sum + value, 0)).toBeGreaterThanOrEqual(
          least.sales,
        )
        reads += 1
      } else if (dice < 0.45) {
        await recordVisit(program, tokens[Math.floor(traffic.random() * tokens.length)] as string)
        acknowledged.visitors += 1
      } else {
        const name = dice < 0.7 ? 'report' : (names[Math.floor(traffic.random() * names.length)] as string)
        const { status } = (await kinds[name]?.(traffic)) ?? { status: 0 }
        expect([200, 201, 404, 422]).toContain(status)
        if (['report', 'refundEarly'].includes(name) && status === 201) {
          acknowledged.sales += 1
          acknowledged.visitors += 1
        }
      }
    })
    expect(Math.min(folds, reads)).toBeGreaterThan(20)
    const expected = totalsOf(await readFacts(db, program.id), 'usd', app.clock.now.getTime())
    expect((await read()).totals).toEqual(expected)
    await foldDeltas(db)
    expect((await read()).totals).toEqual(expected)
    expect(expected).toMatchObject(acknowledged)
    expect(await examine(app.database)).toEqual([])
  })
})
