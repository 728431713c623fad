import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller } from '../../support/factories.ts'
import { createStripeFeed, type StripeEvent, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()
const program = await app.createProgram()
const { coupon } = await createSeller(program)
const feed = await createStripeFeed(program)

const capturedAt = 1_773_144_000
const at = (event: StripeEvent, seconds: number) => ({ ...event, created: capturedAt + seconds })
const charge = (n: string, type: string, refunded: number, seconds: number) =>
  at(
    stripeEvent(type, {
      ...{ id: `ch_${n}`, payment_intent: `pi_${n}`, customer: `cus_${n}`, currency: 'usd', amount: 10_000 },
      ...{ amount_captured: 6_000, amount_refunded: refunded, captured: true, paid: true },
    }),
    seconds,
  )
const refund = (n: string, id: string, cents: number, seconds: number) =>
  at(
    stripeEvent('refund.created', {
      ...{ id: `re_${n}${id}`, charge: `ch_${n}`, payment_intent: `pi_${n}`, currency: 'usd', amount: cents },
      status: 'succeeded',
    }),
    seconds,
  )
const intent = (n: string) =>
  at(
    stripeEvent('payment_intent.succeeded', {
      ...{ id: `pi_${n}`, customer: `cus_${n}`, currency: 'usd', amount: 10_000, amount_received: 6_000 },
      ...{ capture_method: 'manual', metadata: { coupon }, latest_charge: `ch_${n}`, created: capturedAt - 60 },
    }),
    0,
  )

/** 60.00 of 100.00 are captured, so 40.00 are released, which Stripe counts as refunded. */
const lives: Record<string, [(n: string) => StripeEvent[], string]> = {
  'what is released is no refund': [
    (n) => [charge(n, 'charge.captured', 4_000, 0), intent(n), charge(n, 'charge.refunded', 4_000, 0)],
    '6000/0 600 PENDING',
  ],
  'nor if Stripe makes a refund of it': [
    (n) => [intent(n), charge(n, 'charge.captured', 4_000, 0), refund(n, 'a', 4_000, 1)],
    '6000/0 600 PENDING',
  ],
  'nor if no event says when it was captured': [
    (n) => [intent(n), refund(n, 'a', 4_000, 0), charge(n, 'charge.refunded', 4_000, 0)],
    '6000/0 600 PENDING',
  ],
  'a refund of a half later is one': [
    (n) => [
      ...[intent(n), charge(n, 'charge.captured', 4_000, 0), charge(n, 'charge.refunded', 4_000, 0)],
      ...[refund(n, 'b', 3_000, 900), charge(n, 'charge.refunded', 7_000, 900)],
    ],
    '6000/3000 300 PENDING',
  ],
  'also one of the amount that was released': [
    (n) => [
      ...[intent(n), charge(n, 'charge.captured', 4_000, 0), refund(n, 'a', 4_000, 0)],
      ...[refund(n, 'b', 4_000, 900), charge(n, 'charge.refunded', 8_000, 900)],
    ],
    '6000/4000 200 PENDING',
  ],
}

const orders: Record<string, <T>(events: T[]) => T[]> = {
  'in order': (events) => events,
  'in reverse': (events) => events.toReversed(),
}

it.each(Object.keys(lives).flatMap((life) => Object.keys(orders).map((order) => [life, order] as const)))(
  'of a payment that is captured in part, %s, %s',
  async (life, order) => {
    const [events, expected] = lives[life] as (typeof lives)[string]
    const n = `${life}${order}`.replaceAll(/\W/g, '')
    for (const event of (orders[order] as (typeof orders)[string])(events(n))) {
      expect((await sendStripe(app, feed.url, event)).status).toBe(200)
      await app.app.deriveFeeds()
    }
    app.clock.advanceMinutes(1)
    await app.app.deriveFeeds()
    const { sales } = await program.graphql(
      `query ($where: SaleWhere) { sales(first: 9, where: $where) { nodes { amountCents refundedCents commissions { nodes { amountCents state } } } } }`,
      { where: { externalId: { equals: `pi_${n}` } } },
    )
    const said = sales.nodes.map(({ amountCents, refundedCents, commissions: { nodes } }: any) =>
      [`${amountCents}/${refundedCents}`, nodes[0].amountCents, nodes[0].state].join(' '),
    )
    expect(said).toEqual([expected])
  },
)
