import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createLead, createSeller, recordVisit } from '../../support/factories.ts'
import {
  createStripeFeed,
  outcomesOf,
  type StripeEvent,
  sendStripe,
  signatureOf,
  stripeEvent,
  stripeSecret,
} from '../../support/stripe.ts'

const app = await createTestApp()

const customer = 'cus_ada'
const session = (referral: string | null, more: object = {}) =>
  stripeEvent('checkout.session.completed', {
    id: 'cs_1',
    object: 'checkout.session',
    mode: 'subscription',
    customer,
    subscription: 'sub_1',
    invoice: 'in_1',
    client_reference_id: referral,
    customer_details: { email: 'grace@example.com', name: 'Grace Hopper' },
    payment_status: 'paid',
    amount_total: 12_000,
    currency: 'usd',
    ...more,
  })
const invoice = (id: string, more: object = {}) =>
  stripeEvent('invoice.paid', {
    id,
    object: 'invoice',
    customer,
    customer_email: 'grace@example.com',
    currency: 'usd',
    subscription: 'sub_1',
    billing_reason: 'subscription_create',
    status: 'paid',
    total: 12_000,
    amount_paid: 12_000,
    total_taxes: [{ amount: 2_000 }],
    total_discount_amounts: [],
    payment_intent: `pi_${id}`,
    lines: {
      data: [
        {
          amount: 10_000,
          description: 'Pro plan',
          price: { product: 'prod_pro', recurring: { interval: 'month', interval_count: 1 } },
        },
      ],
    },
    ...more,
  })
const refunded = (cents: number, more: object = {}) =>
  stripeEvent('charge.refunded', {
    id: 'ch_1',
    object: 'charge',
    customer,
    currency: 'usd',
    amount: 12_000,
    amount_refunded: cents,
    payment_intent: 'pi_in_1',
    ...more,
  })
const dispute = (type: string, status: string) =>
  stripeEvent(`charge.dispute.${type}`, {
    id: 'du_1',
    object: 'dispute',
    currency: 'usd',
    amount: 12_000,
    charge: 'ch_1',
    payment_intent: 'pi_in_1',
    status,
  })

async function sendAll(url: string, events: readonly StripeEvent[], derivesEach = true) {
  for (const event of events) {
    const response = await sendStripe(app, url, event)
    expect(response.status).toBe(200)
    if (derivesEach) await app.app.deriveFeeds()
  }
  await app.app.deriveFeeds()
}

/** What counts: sales, refunds and commissions, without ids and times. */
async function stateOf(program: TestProgram) {
  const { sales } = await program.graphql(`{ sales(first: 50) { nodes { externalId amountCents refundedCents currency
    items { productId amountCents } referral { conversionState } customer { email } commissions { nodes { amountCents state heldReason } } } } }`)
  return sales.nodes.sort((a: any, b: any) => a.externalId.localeCompare(b.externalId))
}

describe('a feed of Stripe', () => {
  it('makes a sale, net of tax, of a paid invoice, by the referral of its checkout', async () => {
    const program = await app.createProgram()
    const { link } = await createSeller(program)
    const { id: referral } = await recordVisit(program, link.token)
    const feed = await createStripeFeed(program)
    expect(feed).toMatchObject({ kind: 'STRIPE', state: 'ACTIVE', url: `http://localhost:4000/feeds/${feed.id}` })
    const paid = invoice('in_1')
    await sendAll(feed.url, [paid])
    expect((await outcomesOf(program, feed.id))[paid.id]).toMatchObject({
      outcome: 'IGNORED',
      reason: expect.stringContaining('No active affiliate'),
    })
    await sendAll(feed.url, [session(referral)])
    expect((await outcomesOf(program, feed.id))[paid.id]).toMatchObject({
      outcome: 'SALE',
      reason: null,
      sale: { externalId: 'in_1' },
    })
    expect(await stateOf(program)).toMatchObject([
      {
        externalId: 'in_1',
        amountCents: 10_000,
        items: [{ productId: 'prod_pro', amountCents: 10_000 }],
        commissions: { nodes: [{ amountCents: 1_000, state: 'PENDING' }] },
      },
    ])
  })

  it('reads a repeated event once, and cumulative refunds as such', async () => {
    const program = await app.createProgram()
    const { link } = await createSeller(program)
    await createLead(program, link.token, 'grace@example.com')
    const feed = await createStripeFeed(program)
    const events = [invoice('in_1'), refunded(3_000), refunded(6_000)]
    await sendAll(feed.url, [...events, ...events])
    const refund = stripeEvent('refund.created', {
      id: 're_1',
      object: 'refund',
      amount: 6_000,
      currency: 'usd',
      charge: 'ch_1',
      payment_intent: 'pi_in_1',
      status: 'succeeded',
    })
    await sendAll(feed.url, [refund])
    expect(await stateOf(program)).toMatchObject([
      { refundedCents: 5_000, commissions: { nodes: [{ amountCents: 500 }] } },
    ])
  })

  it('lets a refund wait for its payment, and says for which', async () => {
    const program = await app.createProgram()
    const { link } = await createSeller(program)
    await createLead(program, link.token, 'grace@example.com')
    const feed = await createStripeFeed(program)
    const early = refunded(12_000)
    await sendAll(feed.url, [early])
    expect((await outcomesOf(program, feed.id))[early.id]).toMatchObject({
      outcome: 'WAITING',
      reason: 'Waits for the payment ch_1, pi_in_1.',
    })
    await sendAll(feed.url, [invoice('in_1')])
    expect((await outcomesOf(program, feed.id))[early.id].outcome).toBe('REFUND')
    expect(await stateOf(program)).toMatchObject([
      { refundedCents: 10_000, commissions: { nodes: [{ state: 'VOID' }] } },
    ])
  })

  it('holds the commission of a disputed payment, and gives it back if the dispute is won', async () => {
    const program = await app.createProgram()
    const { link } = await createSeller(program)
    await createLead(program, link.token, 'grace@example.com')
    const feed = await createStripeFeed(program)
    await sendAll(feed.url, [invoice('in_1'), dispute('created', 'needs_response')])
    expect(await stateOf(program)).toMatchObject([{ commissions: { nodes: [{ heldReason: 'DISPUTE' }] } }])
    await sendAll(feed.url, [dispute('closed', 'lost')])
    expect(await stateOf(program)).toMatchObject([
      { refundedCents: 10_000, commissions: { nodes: [{ state: 'VOID' }] } },
    ])
    await sendAll(feed.url, [dispute('funds_reinstated', 'won')])
    expect(await stateOf(program)).toMatchObject([
      { refundedCents: 0, commissions: { nodes: [{ state: 'PENDING', amountCents: 1_000, heldReason: null }] } },
    ])
  })

  it('ends in one state whatever the order of the events of a life', async () => {
    const life = (referral: string) => [
      session(referral),
      stripeEvent('customer.subscription.created', { id: 'sub_1', customer, status: 'active' }),
      invoice('in_1', { payment_intent: undefined }),
      stripeEvent('payment_intent.succeeded', {
        id: 'pi_in_1',
        customer,
        currency: 'usd',
        amount_received: 12_000,
        latest_charge: 'ch_1',
        created: 1_773_144_000,
      }),
      refunded(4_000),
      invoice('in_2', {
        billing_reason: 'subscription_cycle',
        total: 6_000,
        amount_paid: 6_000,
        total_taxes: [{ amount: 1_000 }],
      }),
      dispute('created', 'needs_response'),
      dispute('closed', 'won'),
    ]
    const states = new Set<string>()
    let seed = 7
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    for (let run = 0; run < 16; run += 1) {
      const program = await app.createProgram()
      const { link } = await createSeller(program)
      const { id: referral } = await recordVisit(program, link.token)
      const feed = await createStripeFeed(program)
      const events = life(referral)
      const order =
        run === 0
          ? events
          : events
              .map((event) => ({ event, key: random() }))
              .sort((a, b) => a.key - b.key)
              .map(({ event }) => event)
      await sendAll(feed.url, order)
      states.add(JSON.stringify(await stateOf(program)))
    }
    expect([...states].map((state) => JSON.parse(state))).toEqual([
      [
        expect.objectContaining({ externalId: 'in_1', amountCents: 10_000, refundedCents: 3_333 }),
        expect.objectContaining({ externalId: 'in_2', amountCents: 5_000, refundedCents: 0 }),
      ],
    ])
  })

  it('makes a lead of a trial', async () => {
    const program = await app.createProgram()
    const { link } = await createSeller(program)
    const { id: referral } = await recordVisit(program, link.token)
    const feed = await createStripeFeed(program)
    const trial = stripeEvent('customer.subscription.created', { id: 'sub_1', customer, status: 'trialing' })
    await sendAll(feed.url, [trial, session(referral, { payment_status: 'no_payment_required', invoice: null })])
    expect((await outcomesOf(program, feed.id))[trial.id].outcome).toBe('LEAD')
    const { referral: found } = await program.graphql('query ($id: ID!) { referral(id: $id) { conversionState } }', {
      id: referral,
    })
    expect(found.conversionState).toBe('LEAD')
  })

  it('counts a payment without an invoice after some seconds, and reads promotion codes by their ids', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program)
    const feed = await createStripeFeed(program)
    const intent = stripeEvent('payment_intent.succeeded', {
      id: 'pi_9',
      currency: 'isk',
      amount_received: 500_000,
      receipt_email: 'grace@example.com',
      metadata: { coupon },
      latest_charge: 'ch_9',
    })
    await sendAll(feed.url, [intent])
    expect((await outcomesOf(program, feed.id))[intent.id].outcome).toBe('WAITING')
    app.clock.advanceMinutes(1)
    await app.app.deriveFeeds()
    expect(await stateOf(program)).toMatchObject([{ externalId: 'pi_9', amountCents: 5_000, currency: 'isk' }])
    const promoted = invoice('in_5', {
      customer: 'cus_b',
      subscription: null,
      customer_email: 'b@example.com',
      discounts: [{ promotion_code: 'promo_1' }],
    })
    await sendAll(feed.url, [promoted])
    expect((await outcomesOf(program, feed.id))[promoted.id].outcome).toBe('IGNORED')
    await sendAll(feed.url, [stripeEvent('promotion_code.created', { id: 'promo_1', code: coupon })])
    expect((await outcomesOf(program, feed.id))[promoted.id]).toMatchObject({ outcome: 'SALE' })
  })

  it('rejects wrong and old signatures, ignores events of the other mode, and shows both', async () => {
    const program = await app.createProgram()
    const feed = await createStripeFeed(program)
    const body = JSON.stringify(invoice('in_1'))
    const now = Math.floor(app.clock.now.getTime() / 1000)
    const post = (signature: string, text = body) =>
      app.app.fetch(new Request(feed.url, { method: 'POST', headers: { 'Stripe-Signature': signature }, body: text }))
    expect((await post(signatureOf(body, now, 'whsec_other'))).status).toBe(400)
    expect((await post(signatureOf(body, now - 301))).status).toBe(400)
    expect((await post(signatureOf('[]', now), '[]')).status).toBe(400)
    expect((await post(signatureOf(body, now), body.padEnd(1024 * 1024 + 1))).status).toBe(413)
    const { feed: failing } = await program.graphql('query ($id: ID!) { feed(id: $id) { state } }', { id: feed.id })
    expect(failing.state).toBe('FAILING')
    await sendAll(feed.url, [invoice('in_1')])
    const foreign = { ...invoice('in_2'), livemode: false }
    const text = invoice('in_3', { amount_paid: '12000' })
    const unknown = invoice('in_4', { currency: 'zzz' })
    const other = stripeEvent('plan.created', { id: 'plan_1' })
    await sendAll(feed.url, [foreign, text, unknown, other])
    const outcomes = await outcomesOf(program, feed.id)
    expect(outcomes[foreign.id]).toMatchObject({ outcome: 'IGNORED', reason: expect.stringContaining('test mode') })
    expect(outcomes[text.id]).toMatchObject({ outcome: 'FAILED', reason: expect.stringContaining('amount_paid') })
    expect(outcomes[unknown.id]).toMatchObject({ outcome: 'FAILED', reason: expect.stringContaining('zzz') })
    expect(outcomes[other.id].outcome).toBe('IGNORED')
  })

  it('accepts two secrets during a rotation', async () => {
    const program = await app.createProgram()
    const feed = await createStripeFeed(program)
    await program.graphql(
      'mutation ($id: ID!) { rotateFeedSecret(input: { id: $id, secret: "whsec_new", keepOldForHours: 1 }) { secret } }',
      { id: feed.id },
    )
    const send = async (secret: string) => {
      const body = JSON.stringify(invoice('in_1'))
      const signature = signatureOf(body, Math.floor(app.clock.now.getTime() / 1000), secret)
      const init = { method: 'POST', headers: { 'Stripe-Signature': signature }, body }
      return (await app.app.fetch(new Request(feed.url, init))).status
    }
    expect([await send('whsec_new'), await send(stripeSecret)]).toEqual([200, 200])
    app.clock.advanceMinutes(61)
    expect([await send('whsec_new'), await send(stripeSecret)]).toEqual([200, 400])
  })
})
