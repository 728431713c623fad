import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { createSeller } from '../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../support/feeds.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()
let program: TestProgram
let coupon: string
let feed: { id: string; url: string }

beforeAll(async () => {
  program = await app.createProgram()
  const seller = await createSeller(program, { commission_percent: 20 })
  coupon = seller.coupon
  app.clock.advanceDays(-1)
  await program.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
    {
      input: {
        ...{ campaignId: seller.campaign.id, name: 'Pro', appliesTo: 'ALL_SALES', reward: { percent: 50 } },
        conditions: { productIds: ['prod_pro*'] },
      },
    },
  )
  app.clock.advanceDays(1)
  feed = await createStripeFeed(program)
})

const line = (product: string | null, amount: number, quantity = 1) => ({
  ...{ amount, quantity, description: product ?? 'Work' },
  pricing: product === null ? null : { price_details: { product, price: `price_${product}` } },
})

const said = async (externalId: string) => {
  const { sales } = await program.graphql(
    `query ($where: SaleWhere) { sales(first: 1, where: $where) { nodes { id amountCents refundedCents items { productId amountCents }
      commissions { nodes { amountCents state } } explanation { summary lines { productId commissionCents } } } } }`,
    { where: { externalId: { equals: externalId } } },
  )
  return sales.nodes[0]
}
const itemsOf = ({ items }: any) => items.map(({ productId, amountCents }: any) => [productId, amountCents])

type Case = [name: string, paid: number, lines: object[], more: object, items: [string, number][], earned: number]
const cases: Case[] = [
  [
    'an upgrade: each line by its product, the credit line by its own',
    ...([4_000, [line('prod_basic', -1_000), line('prod_pro', 5_000)], {}] as const),
    ...([
      [
        ['prod_basic', -1_000],
        ['prod_pro', 5_000],
      ] as [string, number][],
      2_300,
    ] as const),
  ] as unknown as Case,
  [
    'an upgrade within a product: its lines are added up',
    ...([1_000, [line('prod_pro', -2_000), line('prod_pro', 3_000)], {}] as const),
    ...([[['prod_pro', 1_000]] as [string, number][], 500] as const),
  ] as unknown as Case,
  [
    'a balance pays a part',
    ...([8_000, [line('prod_pro', 10_000)], { total: 10_000, amount_due: 8_000 }] as const),
    ...([[['prod_pro', 8_000]] as [string, number][], 4_000] as const),
  ] as unknown as Case,
  [
    'a balance pays a part, shared to the cent, also with a line of no product',
    ...([
      7_001,
      [line('prod_pro', 3_333), line(null, 3_333), line('prod_x', 3_334)],
      { total: 10_000, amount_due: 7_001 },
    ] as const),
    ...([
      [
        ['prod_pro', 2_333],
        ['prod_x', 2_334],
      ] as [string, number][],
      2_101,
    ] as const),
  ] as unknown as Case,
  [
    'a discount that only the invoice names (made up)',
    ...([
      9_000,
      [line('prod_pro', 10_000)],
      { total_discount_amounts: [{ amount: 1_000, discount: 'di_1' }] },
    ] as const),
    ...([[['prod_pro', 9_000]] as [string, number][], 4_500] as const),
  ] as unknown as Case,
]

it.each(cases)('%s', async (_name, paid, lines, more, items, earned) => {
  const id = `in_${Math.abs(earned)}_${paid}`
  const event = stripeEvent('invoice.paid', {
    ...{ id, customer: `cus_${id}`, currency: 'usd', status: 'paid', total: paid, amount_paid: paid, amount_due: paid },
    ...{ metadata: { coupon }, total_taxes: [], lines: { data: lines, has_more: false }, ...more },
  })
  expect((await sendStripe(app, feed.url, event)).status).toBe(200)
  await app.app.deriveFeeds()
  const sale = await said(id)
  expect(itemsOf(sale)).toEqual(items)
  expect(sale.commissions.nodes).toEqual([{ amountCents: earned, state: 'PENDING' }])
  const ofLines = sale.explanation.lines.reduce((sum: number, one: any) => sum + one.commissionCents, 0)
  expect(ofLines || earned).toBe(earned)
})

it('tells what a balance took of the items, and which lines were not sent', async () => {
  const event = stripeEvent('invoice.paid', {
    ...{ id: 'in_cut', customer: 'cus_cut', currency: 'usd', status: 'paid', total: 12_000, amount_paid: 12_000 },
    ...{
      metadata: { coupon },
      lines: { has_more: true, data: Array.from({ length: 10 }, () => line('prod_pro', 1_000)) },
    },
  })
  await sendStripe(app, feed.url, event)
  await app.app.deriveFeeds()
  const { explanation, commissions } = await said('in_cut')
  expect(commissions.nodes[0].amountCents).toBe(5_400)
  const note = 'Items beyond the first 10 were not sent by the billing system: they earn as no product'
  expect(explanation.summary).toContain(`Left out of the report: ${note}.`)
  const { feedEventsAbout } = await program.graphql('{ feedEventsAbout(externalId: "in_cut") { outcome reason } }')
  expect(feedEventsAbout).toEqual([{ outcome: 'SALE', reason: `${note}.` }])
})

it('reads negative line items and discounts of Paddle', async () => {
  const paddle = await createFeedOf(program, 'PADDLE')
  const item = (product: string, subtotal: string, discount: string) => ({
    ...{
      product: { id: product, name: product },
      quantity: 1,
      totals: { subtotal, discount, tax: '0', total: subtotal },
    },
  })
  await sendEvents(app, paddle.url, 'PADDLE', [
    {
      ...{ event_id: 'evt_1', event_type: 'transaction.completed', occurred_at: '2026-03-10T12:00:00Z' },
      data: {
        ...{
          id: 'txn_up',
          status: 'completed',
          origin: 'subscription_update',
          customer_id: 'ctm_1',
          currency_code: 'USD',
        },
        custom_data: { coupon },
        details: {
          totals: { subtotal: '900', discount: '-100', tax: '0', total: '1000', grand_total: '1000' },
          line_items: [item('prod_pro', '3000', '0'), item('prod_pro', '-2100', '-100')],
        },
      },
    },
  ])
  const sale = await said('txn_up')
  expect(itemsOf(sale)).toEqual([['prod_pro', 1_000]])
  expect(sale.commissions.nodes[0].amountCents).toBe(500)
})

it('refunds a sale with a credit line by its parts, and leaves the credit line where an item is given back', async () => {
  const report = (externalId: string) =>
    program.post('/conversions', {
      ...{ external_id: externalId, amount_cents: 4_000, coupon },
      items: [
        { product_id: 'prod_basic', amount_cents: -1_000 },
        { product_id: 'prod_pro', amount_cents: 5_000 },
      ],
    })
  for (const id of ['half', 'item', 'all']) expect((await report(id)).status).toBe(201)
  const refund = (body: object) => program.post('/conversions/refund', body)
  await refund({ external_id: 'half', amount_cents: 2_000 })
  await refund({ external_id: 'item', amount_cents: 2_000, items: [{ product_id: 'prod_pro', amount_cents: 2_000 }] })
  await refund({ external_id: 'all', amount_cents: 4_000 })
  expect((await said('half')).commissions.nodes).toEqual([{ amountCents: 1_150, state: 'PENDING' }])
  expect((await said('item')).commissions.nodes).toEqual([{ amountCents: 1_300, state: 'PENDING' }])
  expect((await said('all')).commissions.nodes[0].state).toBe('VOID')
})

it('leaves every invariant whole', async () => {
  expect(await findViolations(app.database)).toEqual([])
})
