import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()

it('201 records the sale and earns the commission', async () => {
  const program = await app.createProgram()
  const { body: affiliate } = await program.post('/affiliates', { email: 'ada@example.com' })
  await program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'ADA20' })
  const { status, body } = await program.post('/conversions', { coupon: 'ada20', amount_cents: 4999 })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    object: 'conversion',
    duplicate: false,
    commission: { amount: 1000, currency: 'usd', state: 'pending', due_at: '2026-04-09T12:00:00.000Z' },
  })
})
