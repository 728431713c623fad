import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, recordVisit } from '../../support/factories.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()
let program: TestProgram
let coupon: string
let feed: { id: string; url: string }

beforeAll(async () => {
  program = await app.createProgram()
  const seller = await createSeller(program)
  coupon = seller.coupon
  await recordVisit(program, seller.link.token)
  feed = await createStripeFeed(program)
})

/** One payment of a subscription, with four ids: of its invoice, its payment intent, its charge and its checkout. */
const payment = (n: string) => [
  stripeEvent('checkout.session.completed', {
    ...{ id: `cs_${n}`, mode: 'subscription', customer: `cus_${n}`, subscription: `sub_${n}`, invoice: `in_${n}` },
    payment_status: 'paid',
  }),
  stripeEvent('invoice.paid', {
    ...{ id: `in_${n}`, customer: `cus_${n}`, subscription: `sub_${n}`, currency: 'usd', status: 'paid' },
    ...{ total: 9_000, amount_paid: 9_000, payment_intent: `pi_${n}`, metadata: { coupon } },
  }),
  stripeEvent('charge.succeeded', {
    ...{ id: `ch_${n}`, customer: `cus_${n}`, payment_intent: `pi_${n}`, currency: 'usd', amount: 9_000 },
    ...{ amount_captured: 9_000, paid: true, captured: true },
  }),
]

async function send(events: readonly ReturnType<typeof stripeEvent>[]) {
  for (const event of events) expect((await sendStripe(app, feed.url, event)).status).toBe(200)
  await app.app.deriveFeeds()
}

const salesOf = async (n: string) => {
  const { sales } = await program.graphql(
    '{ sales(first: 100) { nodes { externalId refundedCents commissions { nodes { amountCents } } } } }',
  )
  return sales.nodes.filter(({ externalId }: any) => externalId.endsWith(`_${n}`))
}

const report = (externalId: string) =>
  program.post('/conversions', { external_id: externalId, amount_cents: 9_000, coupon })

it.each(['in', 'pi', 'ch', 'cs'])(
  'a payment of a feed is the first sale, also if %s_… is reported later',
  async (kind) => {
    const n = `later${kind}`
    await send(payment(n))
    const { status, body } = await report(`${kind}_${n}`)
    expect([status, body.duplicate]).toEqual([200, true])
    expect(await salesOf(n)).toMatchObject([{ externalId: `in_${n}`, commissions: { nodes: [{ amountCents: 900 }] } }])
    const refunded = await program.post('/conversions/refund', { external_id: `${kind}_${n}`, amount_cents: 4_500 })
    expect(refunded.status).toBe(201)
    expect(await salesOf(n)).toMatchObject([{ refundedCents: 4_500, commissions: { nodes: [{ amountCents: 450 }] } }])
  },
)

it.each(['in', 'pi', 'ch', 'cs'])('a payment that was reported as %s_… is no second sale of the feed', async (kind) => {
  const n = `first${kind}`
  expect((await report(`${kind}_${n}`)).status).toBe(201)
  await send(payment(n))
  expect(await salesOf(n)).toMatchObject([
    { externalId: `${kind}_${n}`, commissions: { nodes: [{ amountCents: 900 }] } },
  ])
  for (const other of ['in', 'pi', 'ch', 'cs']) expect((await report(`${other}_${n}`)).status).toBe(200)
  await send([
    stripeEvent('refund.created', {
      ...{ id: `re_${n}`, charge: `ch_${n}`, payment_intent: `pi_${n}`, currency: 'usd', amount: 9_000 },
      status: 'succeeded',
    }),
  ])
  expect(await salesOf(n)).toMatchObject([{ refundedCents: 9_000 }])
})

it('a refund that waits for another id of the payment is recorded when the feed names it', async () => {
  const waiting = await program.post('/conversions/refund', { external_id: 'pi_waits', amount_cents: 3_000 })
  expect(waiting.status).toBe(202)
  await send(payment('waits'))
  expect(await salesOf('waits')).toMatchObject([
    { refundedCents: 3_000, commissions: { nodes: [{ amountCents: 600 }] } },
  ])
})
