import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

/** Reports a sale. Uses GraphQL, as REST does not return the reason why a sale earns nothing. */
async function sell(coupon: string, email: string, more: object = {}) {
  const { reportConversion } = await program.graphql(
    `mutation ($input: ReportConversionInput!) {
      reportConversion(input: $input) { duplicate sale { id noCommissionReason } commission { id amountCents } }
    }`,
    { input: { amountCents: 1000, coupon, email, ...more } },
  )
  return {
    commissionId: reportConversion.commission?.id ?? null,
    reason: reportConversion.sale.noCommissionReason,
  }
}

it('max_commissions: further sales are recorded without a commission and with the reason', async () => {
  const { coupon } = await createSeller(program, { max_commissions: 2 })
  const results = []
  for (let i = 0; i < 3; i++) results.push((await sell(coupon, 'limit@example.com')).reason)
  expect(results).toEqual([null, null, 'MAX_COMMISSIONS_REACHED'])
  const over = await reportSale(program, { coupon, email: 'limit@example.com' })
  expect(over).toEqual({ object: 'conversion', duplicate: false, sale_id: expect.any(String), commission: null })
})

it('max_commissions applies per customer', async () => {
  const { coupon } = await createSeller(program, { max_commissions: 1 })
  expect((await sell(coupon, 'one@example.com')).reason).toBeNull()
  expect((await sell(coupon, 'two@example.com')).reason).toBeNull()
  expect((await sell(coupon, 'ONE@example.com')).reason).toBe('MAX_COMMISSIONS_REACHED')
})

it('max_commissions does not count void commissions', async () => {
  const { coupon } = await createSeller(program, { max_commissions: 1 })
  const { commissionId } = await sell(coupon, 'void@example.com')
  await program.delete(`/commissions/${commissionId}`)
  expect((await sell(coupon, 'void@example.com')).reason).toBeNull()
  expect((await sell(coupon, 'void@example.com')).reason).toBe('MAX_COMMISSIONS_REACHED')
})

it('max_commission_period_in_months counts calendar months from the first commission', async () => {
  const { coupon } = await createSeller(program, { max_commission_period_in_months: 1 })
  const at = async (occurredAt: string) => (await sell(coupon, 'period@example.com', { occurredAt })).reason
  expect(await at('2026-01-31T10:00:00Z')).toBeNull()
  expect(await at('2026-02-28T09:59:59Z')).toBeNull()
  expect(await at('2026-02-28T10:00:01Z')).toBe('COMMISSION_PERIOD_OVER')
})

it('a sale whose commission rounds to 0 is recorded with the reason', async () => {
  const { coupon } = await createSeller(program, { commission_percent: 10 })
  const sale = (amountCents: number) => sell(coupon, 'small@example.com', { amountCents })
  expect((await sale(4)).reason).toBe('AMOUNT_ROUNDS_TO_ZERO')
  expect((await sale(0)).reason).toBe('AMOUNT_ROUNDS_TO_ZERO')
  expect((await sale(5)).reason).toBeNull()
})

it('a sale without a commission neither starts the period nor counts towards the limit', async () => {
  const { coupon } = await createSeller(program, { max_commissions: 1, max_commission_period_in_months: 1 })
  await sell(coupon, 'later@example.com', { amountCents: 0, occurredAt: '2026-01-01T00:00:00Z' })
  expect((await sell(coupon, 'later@example.com')).reason).toBeNull()
})
