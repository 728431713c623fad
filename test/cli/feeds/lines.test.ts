import { expect, it } from 'vitest'
import { withAllLines } from '../../../src/cli/feeds/lines.ts'
import { createStripeApi } from '../../support/stripe-api.ts'

it('reads the lines that an invoice does not name, and leaves it as it is if the key may not', async () => {
  const lines = Array.from({ length: 12 }, (_, index) => ({ id: `il_${index}`, amount: 1_000 }))
  const stripe = await createStripeApi({ '/v1/invoices/in_1/lines': lines }, 5)
  const api = { base: stripe.url, key: 'rk_of_the_tests' }
  const invoice = (id: string, data = lines.slice(0, 10), more = true) => ({
    id,
    created: 1,
    lines: { data, has_more: more },
  })
  const whole = invoice('in_3', lines.slice(0, 2), false)
  const page = await withAllLines(api, { data: [invoice('in_1'), invoice('in_2'), whole], has_more: false })
  expect(page.data).toEqual([invoice('in_1', lines, false), invoice('in_2'), whole])
  expect(stripe.read).toEqual(['il_10', 'il_11'])
  stripe.close()
})
