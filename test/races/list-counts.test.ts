import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { foldListCounts } from '../../src/database/upkeep/list-counts.ts'
import { foldDeltas } from '../../src/modules/analytics/fold.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createTestApp } from '../support/app.ts'
import { createSeller } from '../support/factories.ts'
import { kinds, startTraffic } from '../support/money-traffic.ts'
import { isPostgres, needsPostgres, stream } from '../support/parallel.ts'

describe.skipIf(!isPostgres)('numbers of rows during concurrent writes', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()
  const { db } = app.database
  const seed = randomInt(2 ** 31)

  it(`include every sale acknowledged before the read, while deltas are folded, and equal the rows in the end (seed ${seed})`, async () => {
    const program = await app.createProgram()
    const coupons = []
    for (let n = 0; n < 4; n += 1)
      coupons.push((await createSeller(program, { days_before_commissions_are_due: 0 })).coupon)
    const traffic = await startTraffic(program, coupons, 20, seed)
    const totalOf = async (path: string): Promise<number> => (await program.get(path)).body.pagination.total_count
    let acknowledged = 20
    let reads = 0
    const names = Object.keys(kinds)
    await stream(400, 24, async () => {
      const dice = traffic.random()
      if (dice < 0.1) await Promise.all([foldListCounts(db), foldDeltas(db)])
      else if (dice < 0.3) {
        const least = acknowledged
        expect(await totalOf('/referrals?limit=1')).toBeGreaterThanOrEqual(least)
        const { sales } = await program.graphql('{ sales(first: 1) { totalCount } }')
        expect(sales.totalCount).toBeGreaterThanOrEqual(least)
        reads += 1
      } else {
        const name = dice < 0.7 ? 'report' : (names[Math.floor(traffic.random() * names.length)] as string)
        const { status } = (await kinds[name]?.(traffic)) ?? { status: 0 }
        if (name === 'report' && status === 201) acknowledged += 1
      }
    })
    expect(reads).toBeGreaterThan(20)
    const programId = program.id
    const totals = async () => ({
      commissions: await totalOf('/commissions'),
      paid: await totalOf('/commissions?state=paid'),
      due: await totalOf('/commissions?state=due'),
      converted: await totalOf('/referrals?conversion_state=conversion'),
    })
    const open = { paidAt: null, voidedAt: null, heldReason: null, dueAt: { lte: app.clock.now } }
    const expected = {
      commissions: await db.commission.count({ where: { programId } }),
      paid: await db.commission.count({ where: { programId, paidAt: { not: null } } }),
      due: await db.commission.count({ where: { programId, ...open } }),
      converted: await db.referral.count({ where: { programId, becameConversionAt: { not: null } } }),
    }
    expect(await totals()).toEqual(expected)
    await foldListCounts(db)
    await foldDeltas(db)
    expect(await totals()).toEqual(expected)
    expect(await examine(app.database)).toEqual([])
  })
})
