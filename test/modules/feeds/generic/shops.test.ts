import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createSeller, recordVisit } from '../../../support/factories.ts'
import { createFeedOf } from '../../../support/feeds.ts'

const app = await createTestApp()

async function send(url: string, header: string, payload: object) {
  const body = JSON.stringify(payload)
  const digest = createHmac('sha256', 'secret-of-tests').update(body).digest('base64')
  const response = await app.app.fetch(new Request(url, { method: 'POST', headers: { [header]: digest }, body }))
  expect(response.status).toBe(200)
  await app.app.deriveFeeds()
}

async function start(preset: string) {
  const program = await app.createProgram()
  const { coupon, link } = await createSeller(program)
  const { id: referral } = await recordVisit(program, link.token)
  return { program, coupon, referral, feed: await createFeedOf(program, 'GENERIC', { preset }) }
}

async function salesOf(program: TestProgram) {
  const { sales, feedEvents } = await program.graphql(`{
    sales(first: 9) { nodes { externalId amountCents refundedCents currency occurredAt
      items { productId name amountCents quantity } commissions { nodes { amountCents state } } } }
    feedEvents(first: 9, where: { outcome: { equals: FAILED } }) { nodes { reason } } }`)
  expect(feedEvents.nodes).toEqual([])
  return sales.nodes
}

/** As Shopify's documentation shows `orders/paid`, with what matters changed. */
const shopifyOrder = (more: object = {}) => ({
  id: 5678901234567,
  admin_graphql_api_id: 'gid://shopify/Order/5678901234567',
  cancelled_at: null,
  created_at: '2026-03-10T05:58:00-05:00',
  processed_at: '2026-03-10T06:00:00-05:00',
  currency: 'USD',
  current_total_price: '83.30',
  discount_codes: [] as object[],
  email: 'jon@example.com',
  financial_status: 'paid',
  landing_site: '/collections/all?via=ada',
  name: '#9999',
  note_attributes: [] as object[],
  subtotal_price: '65.00',
  taxes_included: false,
  test: false,
  total_discounts: '5.00',
  total_price: '88.30',
  total_shipping_price_set: { shop_money: { amount: '10.00', currency_code: 'USD' } },
  total_tax: '13.30',
  customer: { id: 1153106273147, email: 'jon@example.com', first_name: 'John', last_name: 'Smith' },
  line_items: [
    {
      id: 8665503117664,
      product_id: 632910392,
      variant_id: 808950810,
      title: 'IPod Nano - 8GB',
      sku: 'IPOD2008PINK',
      quantity: 2,
      price: '25.00',
      total_discount: '0.00',
      discount_allocations: [{ amount: '5.00', discount_application_index: 0 }],
      tax_lines: [{ price: '8.55', rate: 0.19, title: 'VAT' }],
    },
    {
      id: 8665503117665,
      product_id: 632910393,
      title: 'Case',
      quantity: 1,
      price: '20.00',
      discount_allocations: [],
      tax_lines: [{ price: '3.80', rate: 0.19, title: 'VAT' }],
    },
  ],
  refunds: [] as object[],
  shipping_lines: [{ price: '10.00', discounted_price: '10.00', tax_lines: [{ price: '0.95', rate: 0.095 }] }],
  ...more,
})

/** As `refunds/create`, and as an order has it in its list. */
const shopifyRefund = {
  id: 8900881860478,
  order_id: 5678901234567,
  created_at: '2026-03-10T06:30:00-05:00',
  note: 'Things were damaged',
  restock: true,
  refund_line_items: [{ id: 4878176722762, line_item_id: 8665503117664, quantity: 1, subtotal: 22.5 }],
  transactions: [
    { id: 2451352713102, kind: 'refund', status: 'success', amount: '44.15', currency: 'USD' },
    { id: 2451352713103, kind: 'refund', status: 'failure', amount: '10.00', currency: 'USD' },
  ],
}

it('makes sales and refunds of the webhooks of Shopify, in any order, each once', async () => {
  for (const isReversed of [false, true]) {
    const { program, coupon, feed } = await start('SHOPIFY')
    const discount_codes = [{ code: coupon, amount: '5.00', type: 'fixed_amount' }]
    const refunded = { discount_codes, financial_status: 'partially_refunded', refunds: [shopifyRefund] }
    const events = [shopifyOrder({ discount_codes }), shopifyRefund, shopifyOrder(refunded)]
    for (const event of isReversed ? events.reverse() : events) await send(feed.url, 'X-Shopify-Hmac-Sha256', event)
    expect(await salesOf(program)).toEqual([
      {
        externalId: '5678901234567',
        // Net of 13.30 tax and 10.00 shipping. Half of what was paid was refunded.
        amountCents: 6_500,
        refundedCents: 3_250,
        currency: 'usd',
        occurredAt: '2026-03-10T11:00:00.000Z',
        items: [
          { productId: '632910392', name: 'IPod Nano - 8GB', amountCents: 4_500, quantity: 2 },
          { productId: '632910393', name: 'Case', amountCents: 2_000, quantity: 1 },
        ],
        commissions: { nodes: [{ amountCents: 325, state: 'PENDING' }] },
      },
    ])
  }
})

it("takes the referral of Shopify's cart attributes, and prices with taxes", async () => {
  const { program, referral, feed } = await start('SHOPIFY')
  const [line] = shopifyOrder().line_items
  const order = {
    note_attributes: [{ name: 'referral', value: referral }],
    taxes_included: true,
    total_price: '57.15',
    total_tax: '9.13',
    shipping_lines: [{ price: '12.15', discounted_price: '12.15', tax_lines: [{ price: '1.94' }] }],
    line_items: [{ ...line, tax_lines: [{ price: '7.19' }] }],
  }
  await send(feed.url, 'X-Shopify-Hmac-Sha256', shopifyOrder(order))
  // 57.15 - 9.13 of taxes - 10.21 of shipping without its taxes.
  expect(await salesOf(program)).toMatchObject([{ amountCents: 3_781, items: [{ amountCents: 3_781 }] }])
  // One that is not paid yet is no sale.
  await send(feed.url, 'X-Shopify-Hmac-Sha256', shopifyOrder({ ...order, id: 2, financial_status: 'pending' }))
  expect(await salesOf(program)).toHaveLength(1)
})

/** As WooCommerce's REST API documents an order. */
const wooOrder = (more: object = {}) => ({
  id: 727,
  parent_id: 0,
  number: '727',
  order_key: 'wc_order_58d2d042d1d',
  status: 'processing',
  currency: 'USD',
  date_created_gmt: '2026-03-10T10:59:00',
  date_modified_gmt: '2026-03-10T11:00:00',
  discount_total: '0.00',
  discount_tax: '0.00',
  shipping_total: '10.00',
  shipping_tax: '0.00',
  cart_tax: '1.35',
  total: '29.35',
  total_tax: '1.35',
  prices_include_tax: false,
  customer_id: 0,
  billing: { first_name: 'John', last_name: 'Doe', email: 'john.doe@example.com' },
  payment_method: 'stripe',
  transaction_id: 'ch_1',
  date_paid: '2026-03-10T08:00:00',
  date_paid_gmt: '2026-03-10T11:00:00',
  meta_data: [] as object[],
  line_items: [
    {
      id: 315,
      name: 'Woo Single #1',
      product_id: 93,
      variation_id: 0,
      quantity: 2,
      subtotal: '6.00',
      subtotal_tax: '0.45',
      total: '6.00',
      total_tax: '0.45',
      price: 3,
    },
    { id: 316, name: 'Ship Your Idea', product_id: 22, quantity: 1, total: '12.00', total_tax: '0.90', price: 12 },
  ],
  tax_lines: [{ id: 318, rate_code: 'US-CA-STATE TAX', tax_total: '1.35', shipping_tax_total: '0.00' }],
  shipping_lines: [{ id: 317, method_title: 'Flat Rate', total: '10.00', total_tax: '0.00' }],
  fee_lines: [],
  coupon_lines: [] as object[],
  refunds: [] as object[],
  ...more,
})

it('makes sales and refunds of the webhooks of WooCommerce, in any order, each once', async () => {
  for (const isReversed of [false, true]) {
    const { program, referral, feed } = await start('WOOCOMMERCE')
    const meta_data = [{ id: 13106, key: 'referral', value: referral }]
    const refunds = [
      { id: 730, reason: 'Too large', total: '-14.68' },
      { id: 731, reason: '', total: '-14.67' },
    ]
    const events = [
      wooOrder({ meta_data, status: 'pending', date_paid_gmt: null }),
      wooOrder({ meta_data }),
      wooOrder({ meta_data, refunds: refunds.slice(0, 1), date_modified_gmt: '2026-03-10T11:10:00' }),
      wooOrder({ meta_data, status: 'refunded', refunds, date_modified_gmt: '2026-03-10T11:20:00' }),
    ]
    for (const event of isReversed ? events.reverse() : events) await send(feed.url, 'X-WC-Webhook-Signature', event)
    expect(await salesOf(program)).toMatchObject([
      {
        externalId: '727',
        amountCents: 1_800,
        refundedCents: 1_800,
        occurredAt: '2026-03-10T11:00:00.000Z',
        items: [
          { productId: '93', name: 'Woo Single #1', amountCents: 600, quantity: 2 },
          { productId: '22', name: 'Ship Your Idea', amountCents: 1_200, quantity: 1 },
        ],
      },
    ])
  }
})

it("takes WooCommerce's coupons, and voids an order that was cancelled after it was paid", async () => {
  const { program, coupon, feed } = await start('WOOCOMMERCE')
  const coupon_lines = [{ id: 320, code: coupon.toLowerCase(), discount: '2.00' }]
  await send(feed.url, 'X-WC-Webhook-Signature', wooOrder({ coupon_lines }))
  expect(await salesOf(program)).toMatchObject([{ commissions: { nodes: [{ amountCents: 180, state: 'PENDING' }] } }])
  const cancelled = { coupon_lines, status: 'cancelled', date_modified_gmt: '2026-03-10T11:30:00' }
  await send(feed.url, 'X-WC-Webhook-Signature', wooOrder(cancelled))
  expect(await salesOf(program)).toMatchObject([{ commissions: { nodes: [{ state: 'VOID' }] } }])
})
