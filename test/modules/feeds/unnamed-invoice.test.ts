import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, recordVisit } from '../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../support/feeds.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

async function createWorld() {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  app.clock.advanceMinutes(-60)
  const { id: referral } = await recordVisit(program, link.token)
  app.clock.advanceMinutes(60)
  return { program, referral }
}

const created = 1_773_144_000
const intent = (id: string, more: object) =>
  stripeEvent('payment_intent.succeeded', {
    ...{ id, customer: 'cus_1', currency: 'usd', amount: 4_900, amount_received: 4_900, created, ...more },
  })

it.each([[[0, 1, 2]], [[2, 0, 1]], [[1, 2, 0]], [[2, 1, 0]]])(
  'counts a one-off payment and the invoice of a subscription of the same amount as two sales, in the order %j',
  async (order) => {
    const { program, referral } = await createWorld()
    const feed = await createStripeFeed(program)
    const events = [
      intent('pi_once', { metadata: { referral } }),
      intent('pi_sub', { description: 'Subscription creation', created: created + 3 }),
      stripeEvent('invoice.paid', {
        ...{ id: 'in_1', customer: 'cus_1', currency: 'usd', status: 'paid', total: 4_900, amount_paid: 4_900 },
        ...{ parent: { subscription_details: { subscription: 'sub_1', metadata: { referral } } }, total_taxes: [] },
      }),
    ]
    for (const index of order) {
      expect((await sendStripe(app, feed.url, events[index] as (typeof events)[number])).status).toBe(200)
      app.clock.advanceMinutes(1)
      await app.app.deriveFeeds()
    }
    const { sales } = await program.graphql('{ sales(first: 9) { nodes { externalId amountCents } } }')
    expect(sales.nodes.map(({ amountCents }: any) => amountCents)).toEqual([4_900, 4_900])
    const { feedEvents } = await program.graphql('{ feedEvents(first: 9) { nodes { outcome } } }')
    expect(feedEvents.nodes).toEqual(events.map(() => ({ outcome: 'SALE' })))
  },
)

it('counts the first payment of a subscription by itself if no order of it comes for a day', async () => {
  const { program, referral } = await createWorld()
  const feed = await createFeedOf(program, 'LEMON_SQUEEZY')
  const at = '2026-03-10T12:00:00Z'
  const paid = {
    meta: { event_name: 'subscription_payment_success', custom_data: { referral } },
    data: {
      id: '1',
      attributes: {
        ...{ subscription_id: 7, customer_id: 3, billing_reason: 'initial', status: 'paid', currency: 'USD' },
        ...{ total: 4_900, created_at: at, updated_at: at },
      },
    },
  }
  await sendEvents(app, feed.url, 'LEMON_SQUEEZY', [paid])
  const read = () =>
    program.graphql('{ sales(first: 9) { nodes { externalId } } feedEvents(first: 1) { nodes { reason } } }')
  expect(await read()).toEqual({
    sales: { nodes: [] },
    feedEvents: {
      nodes: [{ reason: 'Waits for its order, which the payment belongs to. It counts by itself after a day.' }],
    },
  })
  app.clock.advanceDays(1)
  await app.app.deriveFeeds()
  expect((await read()).sales.nodes).toEqual([{ externalId: 'subscription-invoice-1' }])
  app.clock.advanceDays(-1)
})
