import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createSeller, reportSale } from '../support/factories.ts'

const app = await createTestApp()

it.each([
  '{ sales { aggregate { sum { amount { amountCents } } } } }',
  '{ analytics(range: { preset: LAST_30_DAYS }) { totals { salesAmount { amountCents } } } }',
])('a sum that no number holds exactly is refused, and named: %s', async (query) => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  for (const external_id of ['inv_1', 'inv_2'])
    await reportSale(program, { coupon, external_id, amount_cents: Number.MAX_SAFE_INTEGER })
  await expect(program.graphql(query)).rejects.toThrow(/beyond 9007199254740991/)
})
