import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { createSeller, recordVisit } from '../../support/factories.ts'
import { createStripeFeed, type StripeEvent, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

type Given = { referral: string; coupon: string }
type Step = { by: 'webhook' | 'back-fill'; event: StripeEvent } | { by: 'rest'; body: object }

const usd = { customer: 'cus_1', currency: 'usd', status: 'paid' }
const line = (product: string, amount: number) => ({ amount, pricing: { price_details: { product } } })
const ofSubscription = (metadata: object) => ({ parent: { subscription_details: { subscription: 'sub_1', metadata } } })
const charge = (id: string, amount: number, captured: number, refunded: number) =>
  stripeEvent('charge.refunded', {
    ...{ id: `ch_${id}`, payment_intent: `pi_${id}`, currency: 'usd', amount, amount_captured: captured },
    ...{ amount_refunded: refunded, captured: true, paid: true },
  })

/** The shop's own user id in the checkout, an upgrade, a partial capture, and a report of a payment by another id. */
const lifeOf = ({ referral, coupon }: Given): Step[] => [
  {
    by: 'webhook',
    event: stripeEvent('checkout.session.completed', {
      ...{ id: 'cs_1', mode: 'subscription', customer: 'cus_1', subscription: 'sub_1', payment_status: 'paid' },
      client_reference_id: 'user_42',
    }),
  },
  {
    by: 'webhook',
    event: stripeEvent('invoice.paid', {
      ...{
        id: 'in_1',
        ...usd,
        ...ofSubscription({ referral }),
        payment_intent: 'pi_1',
        billing_reason: 'subscription_create',
      },
      ...{ total: 9_000, amount_paid: 9_000, lines: { data: [line('prod_basic', 9_000)] } },
    }),
  },
  { by: 'rest', body: { external_id: 'pi_1', amount_cents: 9_000, referral_id: referral } },
  { by: 'webhook', event: charge('1', 9_000, 9_000, 3_000) },
  {
    by: 'back-fill',
    event: stripeEvent('invoice.paid', {
      ...{
        id: 'in_2',
        ...usd,
        ...ofSubscription({ referral }),
        payment_intent: 'pi_2',
        total: 4_000,
        amount_paid: 4_000,
      },
      lines: { data: [line('prod_basic', -1_000), line('prod_pro', 5_000)] },
    }),
  },
  {
    by: 'back-fill',
    event: stripeEvent('payment_intent.succeeded', {
      ...{ id: 'pi_3', customer: 'cus_1', currency: 'usd', amount: 10_000, amount_received: 6_000 },
      ...{ latest_charge: 'ch_3', metadata: { coupon } },
    }),
  },
  { by: 'webhook', event: charge('3', 10_000, 6_000, 4_000) },
]

/** Orders by a linear congruence, so that each run tries the same. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const left = [...items]
  const order: T[] = []
  for (let state = seed; left.length > 0; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    order.push(...left.splice(state % left.length, 1))
  }
  return order
}

it('ends in one state, whatever the order and the way in which its payments are told', async () => {
  const states = new Set<string>()
  for (let seed = 1; seed <= 8; seed += 1) {
    const program = await app.createProgram()
    const { link, coupon } = await createSeller(program)
    app.clock.advanceMinutes(-600)
    const { id: referral } = await recordVisit(program, link.token)
    app.clock.advanceMinutes(600)
    const feed = await createStripeFeed(program)
    for (const [index, step] of shuffled(lifeOf({ referral, coupon }), seed).entries()) {
      if (step.by === 'rest') {
        const { status } = await program.post('/conversions', { ...step.body, occurred_at: '2026-03-10T12:00:00Z' })
        expect([200, 201]).toContain(status)
      } else if (step.by === 'webhook') expect((await sendStripe(app, feed.url, step.event)).status).toBe(200)
      else
        await program.graphql('mutation ($input: BackfillFeedInput!) { backfillFeed(input: $input) { stored } }', {
          input: { feedId: feed.id, events: JSON.stringify([step.event]) },
        })
      // Of each two orders, one has gaps beyond the time that a payment waits.
      if (seed % 2 === 0 || index % 3 === 0) app.clock.advanceMinutes(1)
      await app.app.deriveFeeds()
    }
    app.clock.advanceMinutes(1)
    await app.app.deriveFeeds()
    const { sales } = await program.graphql(
      '{ sales(first: 20) { nodes { amountCents refundedCents commissions { nodes { amountCents state } } } } }',
    )
    const said = sales.nodes.map(({ amountCents, refundedCents, commissions: { nodes } }: any) =>
      [amountCents, refundedCents, ...nodes.map((one: any) => `${one.amountCents} ${one.state}`)].join(' '),
    )
    states.add(said.sort().join('; '))
  }
  expect([...states]).toEqual(['4000 0 400 PENDING; 6000 0 600 PENDING; 9000 3000 600 PENDING'])
  expect(await findViolations(app.database)).toEqual([])
})
