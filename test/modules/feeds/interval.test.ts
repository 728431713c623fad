import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller } from '../../support/factories.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

/** A program with a feed, whose campaign pays 20 percent, and by a rule another share. */
async function createShop(rule: object) {
  const program = await app.createProgram()
  const { campaign, coupon } = await createSeller(program, { commission_percent: 20 })
  app.clock.advanceDays(-1)
  await program.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
    { input: { campaignId: campaign.id, name: 'Rule', appliesTo: 'ALL_SALES', ...rule } },
  )
  app.clock.advanceDays(1)
  const { url } = await createStripeFeed(program)
  return {
    invoice: (id: string, subscription: string, more: object) =>
      stripeEvent('invoice.paid', {
        ...{ id, customer: 'cus_1', currency: 'usd', status: 'paid', total: 10_000, amount_paid: 10_000 },
        ...{ parent: { subscription_details: { subscription } }, metadata: { coupon }, ...more },
      }),
    async send(events: ReturnType<typeof stripeEvent>[]) {
      for (const event of events) expect((await sendStripe(app, url, event)).status).toBe(200)
      await app.app.deriveFeeds()
    },
    async earned(): Promise<unknown> {
      const { sales } = await program.graphql(
        '{ sales(first: 50) { nodes { externalId billingInterval paymentNumber commissions { nodes { amountCents } } } } }',
      )
      return Object.fromEntries(
        sales.nodes.map((sale: any) => [
          sale.externalId,
          [sale.billingInterval, sale.paymentNumber, sale.commissions.nodes[0]?.amountCents],
        ]),
      )
    },
  }
}

const yearly = { conditions: { billingIntervals: ['YEAR'] }, reward: { percent: 10 } }
const start = Date.UTC(2026, 2, 10) / 1000
const inDays = (days: number) => start + days * 86_400
const linesOf = (line: object) => ({ lines: { data: [{ amount: 10_000, ...line }] } })
const price = { pricing: { price_details: { product: 'prod_1', price: 'price_1' } } }

it('an invoice is yearly by the price of its line, or by its period where the price has only an id', async () => {
  const { invoice, send, earned } = await createShop(yearly)
  await send([
    invoice('in_old', 'sub_old', linesOf({ price: { product: 'prod_1', recurring: { interval: 'year' } } })),
    invoice('in_new', 'sub_new', linesOf({ ...price, period: { start, end: inDays(365) } })),
    invoice('in_month', 'sub_month', linesOf({ ...price, period: { start, end: inDays(31) } })),
  ])
  expect(await earned()).toEqual({
    in_old: ['YEAR', null, 1_000],
    in_new: ['YEAR', null, 1_000],
    in_month: ['MONTH', null, 2_000],
  })
})

it.each(['before', 'after'])('a line that says neither is billed as its subscription, told %s it', async (order) => {
  const { invoice, send, earned } = await createShop(yearly)
  const subscription = stripeEvent('customer.subscription.created', {
    ...{ id: 'sub_1', customer: 'cus_1', status: 'active' },
    items: { data: [{ price: { product: 'prod_1', recurring: { interval: 'year', interval_count: 1 } } }] },
  })
  const events = [subscription, invoice('in_1', 'sub_1', linesOf(price))]
  for (const event of order === 'before' ? events : events.toReversed()) await send([event])
  expect(await earned()).toEqual({ in_1: ['YEAR', null, 1_000] })
})

it('the first payment of each subscription earns by FIRST_OF_SUBSCRIPTION, and its renewals do not', async () => {
  const { invoice, send, earned } = await createShop({
    ...{ conditions: { payment: 'FIRST_OF_SUBSCRIPTION' }, reward: { percent: 50 } },
  })
  await send([
    invoice('in_1', 'sub_1', { billing_reason: 'subscription_create' }),
    invoice('in_2', 'sub_1', { billing_reason: 'subscription_cycle' }),
    invoice('in_3', 'sub_2', { billing_reason: 'subscription_create' }),
  ])
  expect(await earned()).toMatchObject({
    in_1: [null, 1, 5_000],
    in_2: [null, null, 2_000],
    in_3: [null, 1, 5_000],
  })
})
