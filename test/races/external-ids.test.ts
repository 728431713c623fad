import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createSeller } from '../support/factories.ts'
import { countBy, isPostgres, needsPostgres, stream } from '../support/parallel.ts'

describe.skipIf(!isPostgres)('concurrent reports', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()

  it('of 1,000 sales, 10 times each, create 1,000 commissions and return 9,000 duplicates with the same ids', async () => {
    const program = await app.createProgram()
    const sellers: { coupon: string }[] = []
    for (let n = 0; n < 4; n += 1) sellers.push(await createSeller(program, { commission_percent: 10 }))
    // 100 requests run at any time: 10 reports of each of 10 sales.
    const responses = await stream(10_000, 100, async (index) => {
      const number = Math.floor(index / 100) * 10 + (index % 10)
      const email = `customer-${number % 200}@example.com`
      const coupon = sellers[number % 4]?.coupon
      const sale = { coupon, email, amount_cents: 1_000 + number, external_id: `inv_${number}` }
      const { status, body } = await program.post('/conversions', sale)
      return { status, duplicate: body.duplicate, number, saleId: body.sale_id, commission: body.commission }
    })
    expect(countBy(responses.map(({ status, duplicate }) => `${status} ${duplicate}`))).toEqual({
      '201 false': 1_000,
      '200 true': 9_000,
    })
    const idsOf = (key: 'saleId' | 'commissionId') =>
      new Set(
        responses.map(({ number, saleId, commission }) => `${number} ${{ saleId, commissionId: commission.id }[key]}`),
      )
    expect(idsOf('saleId').size).toBe(1_000)
    expect(idsOf('commissionId').size).toBe(1_000)
    expect(countBy(responses.filter(({ duplicate }) => !duplicate).map(({ number }) => number % 4))).toEqual({
      0: 250,
      1: 250,
      2: 250,
      3: 250,
    })
    const where = { programId: program.id }
    const sales = await app.database.db.sale.findMany({
      where,
      include: { commissions: { include: { events: true } } },
    })
    expect(sales).toHaveLength(1_000)
    for (const { id, externalId, amountCents, commissions } of sales) {
      expect(idsOf('saleId').has(`${externalId?.slice(4)} ${id}`)).toBe(true)
      expect(commissions).toHaveLength(1)
      expect(commissions[0]?.amountCents).toBe((amountCents + 5n) / 10n)
      expect(commissions[0]?.events.map(({ kind }) => kind)).toEqual(['earned'])
    }
    expect(await app.database.db.commission.count({ where })).toBe(1_000)
  }, 400_000)
})
