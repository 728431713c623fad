import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { examples } from '../support/examples.ts'
import { createSeller } from '../support/factories.ts'
import { countBy, isPostgres, needsPostgres, stream } from '../support/parallel.ts'

describe.skipIf(!isPostgres)('concurrent reports', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()
  const sent = examples(200)

  it('of each sale, 10 times, create one commission and return 9 duplicates with the same ids', async () => {
    const program = await app.createProgram()
    const sellers: { coupon: string }[] = []
    for (let n = 0; n < 4; n += 1) sellers.push(await createSeller(program, { commission_percent: 10 }))
    // 100 requests run at any time: 10 reports of each of 10 sales.
    const responses = await stream(sent * 10, 100, async (index) => {
      const number = Math.floor(index / 100) * 10 + (index % 10)
      const email = `customer-${number % 40}@example.com`
      const coupon = sellers[number % 4]?.coupon
      const sale = { coupon, email, amount_cents: 1_000 + number, external_id: `inv_${number}` }
      const { status, body } = await program.post('/conversions', sale)
      return { status, duplicate: body.duplicate, number, saleId: body.sale_id, commission: body.commission }
    })
    expect(countBy(responses.map(({ status, duplicate }) => `${status} ${duplicate}`))).toEqual({
      '201 false': sent,
      '200 true': sent * 9,
    })
    const idsOf = (key: 'saleId' | 'commissionId') =>
      new Set(
        responses.map(({ number, saleId, commission }) => `${number} ${{ saleId, commissionId: commission.id }[key]}`),
      )
    expect(idsOf('saleId').size).toBe(sent)
    expect(idsOf('commissionId').size).toBe(sent)
    expect(countBy(responses.filter(({ duplicate }) => !duplicate).map(({ number }) => number % 4))).toEqual({
      0: sent / 4,
      1: sent / 4,
      2: sent / 4,
      3: sent / 4,
    })
    const where = { programId: program.id }
    const sales = await app.database.db.sale.findMany({
      where,
      include: { commissions: { include: { events: true } } },
    })
    expect(sales).toHaveLength(sent)
    for (const { id, externalId, amountCents, commissions } of sales) {
      expect(idsOf('saleId').has(`${externalId?.slice(4)} ${id}`)).toBe(true)
      expect(commissions).toHaveLength(1)
      expect(commissions[0]?.amountCents).toBe((amountCents + 5n) / 10n)
      expect(commissions[0]?.events.map(({ kind }) => kind)).toEqual(['earned'])
    }
    expect(await app.database.db.commission.count({ where })).toBe(sent)
  }, 400_000)
})
