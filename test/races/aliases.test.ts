import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { examples } from '../support/examples.ts'
import { createSeller } from '../support/factories.ts'
import { isPostgres, needsPostgres, times } from '../support/parallel.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../support/stripe.ts'

describe.skipIf(!isPostgres)('one payment with two ids', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const app = await createTestApp()

  it('is one sale, if its invoice comes by a feed while its payment intent is reported', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program)
    const feed = await createStripeFeed(program)
    const count = examples(30)
    const numbers = Array.from({ length: count }, (_, index) => index)
    for (const n of numbers) {
      const invoice = stripeEvent('invoice.paid', {
        ...{ id: `in_${n}`, customer: `cus_${n}`, currency: 'usd', status: 'paid', payment_intent: `pi_${n}` },
        ...{ total: 9_000, amount_paid: 9_000, metadata: { coupon } },
      })
      expect((await sendStripe(app, feed.url, invoice)).status).toBe(200)
    }
    const report = (n: number) =>
      program.post('/conversions', { external_id: `pi_${n}`, amount_cents: 9_000, coupon, email: `${n}@example.com` })
    const [reports] = await Promise.all([times(count, report), app.app.deriveFeeds()])
    expect(reports.every(({ status }) => status < 300)).toBe(true)
    const sales = await app.database.db.sale.findMany({ where: { programId: program.id } })
    const ofPayment = (n: number) => sales.filter(({ externalId }) => externalId?.endsWith(`_${n}`)).length
    expect(numbers.map(ofPayment)).toEqual(numbers.map(() => 1))
  })
})
