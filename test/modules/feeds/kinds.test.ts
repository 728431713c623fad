import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, recordVisit } from '../../support/factories.ts'
import { createFeedOf, type FeedKindName, sendEvents } from '../../support/feeds.ts'

const app = await createTestApp()
const at = '2026-03-10T11:00:00.000Z'
const seconds = 1_773_140_400

/** A customer with a referral of an affiliate who earns a tenth. */
async function start(kind: FeedKindName, more: object = {}) {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  const { id: referral } = await recordVisit(program, link.token)
  return { program, referral, feed: await createFeedOf(program, kind, more) }
}

async function salesOf(program: TestProgram) {
  const { sales } = await program.graphql(
    '{ sales(first: 50) { nodes { externalId amountCents refundedCents currency commissions { nodes { amountCents state } } } } }',
  )
  return sales.nodes.sort((a: any, b: any) => a.externalId.localeCompare(b.externalId))
}

/** Sends the events in order, in reverse and twice: the sales are the same. */
async function expectSales(
  kind: FeedKindName,
  life: (referral: string) => object[],
  sales: object[],
  more: object = {},
) {
  for (const arrange of [(events: object[]) => [...events, ...events], (events: object[]) => [...events].reverse()]) {
    const { program, referral, feed } = await start(kind, more)
    const statuses = await sendEvents(app, feed.url, kind, arrange(life(referral)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await salesOf(program)).toMatchObject(sales)
  }
}

describe('Paddle Billing', () => {
  const event = (id: string, type: string, data: object) => ({ event_id: id, event_type: type, occurred_at: at, data })
  const transaction = (referral: string) =>
    event('evt_1', 'transaction.completed', {
      id: 'txn_1',
      status: 'completed',
      customer_id: 'ctm_1',
      subscription_id: 'sub_1',
      currency_code: 'USD',
      custom_data: { referral },
      details: { totals: { subtotal: '10000', discount: '0', tax: '2000', total: '12000', grand_total: '12000' } },
      items: [{ price: { billing_cycle: { interval: 'month', frequency: 1 } } }],
    })
  const adjustment = (id: string, action: string, status: string, total: string) =>
    event(`evt_${id}_${status}`, 'adjustment.updated', {
      id,
      action,
      status,
      transaction_id: 'txn_1',
      currency_code: 'USD',
      totals: { total },
    })

  it('makes sales of completed transactions, and refunds of approved adjustments', async () => {
    const customer = event('evt_0', 'customer.created', { id: 'ctm_1', email: 'grace@example.com', name: 'Grace' })
    const refund = adjustment('adj_1', 'refund', 'approved', '6000')
    const rejected = adjustment('adj_2', 'refund', 'rejected', '6000')
    await expectSales('PADDLE', (referral) => [customer, transaction(referral), refund, rejected], [
      {
        externalId: 'txn_1',
        amountCents: 10_000,
        refundedCents: 5_000,
        commissions: { nodes: [{ amountCents: 500 }] },
      },
    ])
  })

  it('counts a refund of tax alone only if sales include tax', async () => {
    const tax = event('evt_5', 'adjustment.created', {
      ...{ id: 'adj_5', action: 'refund', status: 'approved', transaction_id: 'txn_1', currency_code: 'USD' },
      totals: { subtotal: '0', tax: '2000', total: '2000' },
    })
    const life = (referral: string) => [transaction(referral), tax]
    await expectSales('PADDLE', life, [{ amountCents: 12_000, refundedCents: 2_000 }], { includes: ['TAX'] })
    await expectSales('PADDLE', life, [{ amountCents: 10_000, refundedCents: 0 }])
  })

  it('gives back a chargeback that was reversed', async () => {
    const lost = adjustment('adj_3', 'chargeback', 'approved', '12000')
    await expectSales('PADDLE', (referral) => [transaction(referral), lost], [
      { refundedCents: 10_000, commissions: { nodes: [{ state: 'VOID' }] } },
    ])
    const later = {
      ...adjustment('adj_4', 'chargeback_reverse', 'approved', '12000'),
      occurred_at: '2026-03-10T12:00:00.000Z',
    }
    await expectSales('PADDLE', (referral) => [transaction(referral), lost, later], [
      { refundedCents: 0, commissions: { nodes: [{ state: 'PENDING', amountCents: 1_000 }] } },
    ])
  })
})

describe('Lemon Squeezy', () => {
  const event = (name: string, type: string, id: string, attributes: object, custom?: object) => ({
    meta: { event_name: name, test_mode: false, custom_data: custom },
    data: {
      type,
      id,
      attributes: {
        store_id: 1,
        customer_id: 7,
        user_email: 'grace@example.com',
        updated_at: at,
        created_at: at,
        ...attributes,
      },
    },
  })

  it('counts the first payment of a subscription once, and refunds as sums', async () => {
    const paid = { currency: 'USD', subtotal: 10_000, discount_total: 0, tax: 2_000, total: 12_000, status: 'paid' }
    const life = (referral: string) => [
      event('order_created', 'orders', '1', paid, { referral }),
      event('subscription_created', 'subscriptions', '5', { status: 'active', order_id: 1 }, { referral }),
      event('subscription_payment_success', 'subscription-invoices', '8', {
        ...paid,
        subscription_id: 5,
        billing_reason: 'initial',
      }),
      event('subscription_payment_success', 'subscription-invoices', '9', {
        ...paid,
        subscription_id: 5,
        billing_reason: 'renewal',
      }),
      event('order_refunded', 'orders', '1', { ...paid, refunded: true, refunded_amount: 3_000 }),
      event('order_refunded', 'orders', '1', { ...paid, refunded: true, refunded_amount: 6_000 }),
    ]
    await expectSales('LEMON_SQUEEZY', life, [
      { externalId: 'order-1', amountCents: 10_000, refundedCents: 5_000 },
      { externalId: 'subscription-invoice-9', amountCents: 10_000, refundedCents: 0 },
    ])
  })
})

describe('Chargebee', () => {
  const event = (id: string, type: string, content: object) => ({ id, event_type: type, occurred_at: seconds, content })

  it('makes sales of paid invoices, and refunds of credit notes', async () => {
    const invoice = {
      id: 'inv-1',
      customer_id: 'cust-1',
      subscription_id: 'sub-1',
      currency_code: 'EUR',
      status: 'paid',
      total: 12_000,
      tax: 2_000,
    }
    const customer = { id: 'cust-1', email: 'grace@example.com', first_name: 'Grace' }
    const life = (referral: string) => [
      event('ev_1', 'subscription_created', {
        subscription: { id: 'sub-1', status: 'in_trial', cf_referral: referral, customer_id: 'cust-1' },
        customer,
      }),
      event('ev_2', 'payment_succeeded', { invoice, customer, transaction: { id: 'txn-1' } }),
      event('ev_3', 'invoice_updated', { invoice }),
      event('ev_4', 'payment_refunded', {
        credit_note: { id: 'CN-1', reference_invoice_id: 'inv-1', type: 'refundable', total: 6_000 },
        invoice,
      }),
    ]
    await expectSales('CHARGEBEE', life, [
      { externalId: 'inv-1', currency: 'eur', amountCents: 10_000, refundedCents: 5_000 },
    ])
  })
})

describe('Polar', () => {
  const event = (type: string, data: object) => ({ type, timestamp: at, data })

  it('makes sales of paid orders, and counts a refund once', async () => {
    const order = (referral: string, more: object = {}) => ({
      id: 'order-a',
      status: 'paid',
      paid: true,
      currency: 'usd',
      total_amount: 12_000,
      tax_amount: 2_000,
      discount_amount: 0,
      customer_id: 'c-1',
      customer: { id: 'c-1', email: 'grace@example.com' },
      subscription_id: 's-1',
      billing_reason: 'subscription_create',
      created_at: at,
      metadata: { referral },
      ...more,
    })
    const life = (referral: string) => [
      event('order.paid', order(referral)),
      event('refund.created', {
        id: 'r-1',
        order_id: 'order-a',
        amount: 5_000,
        tax_amount: 1_000,
        currency: 'usd',
        status: 'succeeded',
      }),
      event(
        'order.refunded',
        order(referral, { status: 'partially_refunded', refunded_amount: 5_000, refunded_tax_amount: 1_000 }),
      ),
    ]
    await expectSales('POLAR', life, [{ externalId: 'order-a', amountCents: 10_000, refundedCents: 5_000 }])
  })
})

describe('a generic feed', () => {
  const mapping = `kind = "paid" ? { "type": "sale", "id": number, "amount": total, "currency": "usd", "tax": vat, "referralId": ref, "occurredAt": time }
    : kind = "refund" ? { "type": "refund", "id": id, "saleId": number, "amount": total, "currency": "usd", "occurredAt": time }`

  it('maps any JSON by JSONata', async () => {
    const life = (ref: string) => [
      { kind: 'paid', number: 'A-1', total: 120, vat: '20.00', ref, time: at },
      { kind: 'refund', id: 'R-1', number: 'A-1', total: 60, time: at },
      { kind: 'other' },
    ]
    await expectSales('GENERIC', life, [{ externalId: 'A-1', amountCents: 10_000, refundedCents: 5_000 }], { mapping })
  })

  it('tests a mapping against received events, and bounds what it may take', async () => {
    const { program, feed } = await start('GENERIC')
    await sendEvents(app, feed.url, 'GENERIC', [{ kind: 'paid', number: 'A-1', total: 1.234, time: at }])
    const test = async (text: string) => {
      const query =
        'query ($id: ID!, $mapping: String!) { testFeedMapping(feedId: $id, mapping: $mapping) { result problem } }'
      return (await program.graphql(query, { id: feed.id, mapping: text })).testFeedMapping[0]
    }
    expect(await test(mapping)).toMatchObject({ problem: expect.stringContaining('decimal number in amount') })
    expect(await test('( $f := function($n) { $f($n + 1) }; $f(1) )')).toMatchObject({
      problem: expect.stringContaining('took longer'),
    })
    expect(await test('[1..1000000]')).toMatchObject({ problem: expect.stringContaining('failed') })
    expect(await test('{ "type": ')).toMatchObject({ problem: expect.stringContaining('cannot be read') })
    await expect(createFeedOf(program, 'GENERIC', { mapping: '{ "type": ' })).rejects.toThrow('cannot be used')
  })
})

it('rejects each kind with a wrong secret', async () => {
  for (const kind of ['PADDLE', 'LEMON_SQUEEZY', 'CHARGEBEE', 'POLAR', 'GENERIC'] as const) {
    const { feed } = await start(kind)
    const [status] = await sendEvents(app, feed.url, kind, [{ id: 'ev_1' }], 'user:wrong')
    expect([kind, status]).toEqual([kind, kind === 'CHARGEBEE' ? 401 : 400])
  }
})

it('shows a secret that is made here once, and waits for one that the vendor makes', async () => {
  const program = await app.createProgram()
  const create = async (kind: string) => {
    const query = `mutation { createFeed(input: { kind: ${kind}, name: "A" }) { secret feed { id state } } }`
    return (await program.graphql(query)).createFeed
  }
  expect(await create('GENERIC')).toMatchObject({ secret: expect.stringMatching(/^whsec_/), feed: { state: 'ACTIVE' } })
  expect(await create('STRIPE')).toMatchObject({ secret: null, feed: { state: 'NO_SECRET' } })
})

it('erases a person from stored events, and still finds the sale of a later refund', async () => {
  const { program, referral, feed } = await start('GENERIC')
  const sale = {
    type: 'sale',
    id: 'A-9',
    amountCents: 1_000,
    currency: 'usd',
    referralId: referral,
    customerId: 'k-1',
    email: 'grace.h@example.com',
    name: 'Grace H',
    occurredAt: at,
  }
  await sendEvents(app, feed.url, 'GENERIC', [
    sale,
    { type: 'customer', customerId: 'k-1', name: 'Grace H', occurredAt: at },
  ])
  await program.graphql('mutation { erasePerson(input: { email: "grace.h@example.com" }) { __typename } }')
  const { feedEvents } = await program.graphql('{ feedEvents(first: 10) { nodes { raw derived outcome } } }')
  expect(JSON.stringify(feedEvents)).not.toMatch(/grace/i)
  await sendEvents(app, feed.url, 'GENERIC', [{ type: 'refund', id: 'R-9', saleId: 'A-9', occurredAt: at }])
  expect(await salesOf(program)).toMatchObject([{ refundedCents: 1_000 }])
})

it('finds events by what they mention, and derives again with a dry run first', async () => {
  const { program, referral, feed } = await start('GENERIC')
  const sale = {
    type: 'sale',
    id: 'A-1',
    totalCents: 0,
    amountCents: 1_200,
    taxCents: 200,
    currency: 'usd',
    referralId: referral,
    occurredAt: at,
  }
  const wrong = `$ ~> |$|{"type": "customer"}|`
  await program.graphql(
    'mutation ($id: ID!, $m: String!) { updateFeed(input: { id: $id, mapping: $m }) { feed { id } } }',
    { id: feed.id, m: wrong },
  )
  await sendEvents(app, feed.url, 'GENERIC', [sale])
  const { feedEventsAbout } = await program.graphql('{ feedEventsAbout(externalId: "A-1") { outcome } }')
  expect(feedEventsAbout).toEqual([{ outcome: 'IGNORED' }])
  await program.graphql('mutation ($id: ID!) { updateFeed(input: { id: $id, mapping: null }) { feed { mapping } } }', {
    id: feed.id,
  })
  const rederive = async (dryRun: boolean) =>
    (
      await program.graphql(
        'mutation ($input: RederiveFeedInput!) { rederiveFeed(input: $input) { events dryRun differences { saleExternalId what } } }',
        { input: { feedId: feed.id, dryRun } },
      )
    ).rederiveFeed
  expect(await rederive(true)).toMatchObject({
    events: 1,
    differences: [{ saleExternalId: 'A-1', what: 'would report a sale of 10.00 USD' }],
  })
  expect(await salesOf(program)).toEqual([])
  expect(await rederive(false)).toMatchObject({ events: 1, differences: [] })
  expect(await salesOf(program)).toMatchObject([{ externalId: 'A-1', amountCents: 1_000 }])
})
