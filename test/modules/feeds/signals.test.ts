import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, recordVisit } from '../../support/factories.ts'
import { createFeedOf, type FeedKindName, sendEvents } from '../../support/feeds.ts'
import { createStripeFeed, outcomesOf, type StripeEvent, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

const noon = '2026-03-10T12:00:00Z'
const seconds = Date.parse(noon) / 1000

const invoice = (n: string, more: object = {}) =>
  stripeEvent('invoice.paid', {
    ...{ id: `in_${n}`, customer: `cus_${n}`, customer_email: `${n}@shop.test`, currency: 'usd', status: 'paid' },
    ...{ total: 10_000, amount_paid: 10_000, total_taxes: [], ...more },
  })
const session = (n: string, more: object = {}) =>
  stripeEvent('checkout.session.completed', {
    ...{ id: `cs_${n}`, mode: 'subscription', customer: `cus_${n}`, subscription: `sub_${n}`, payment_status: 'paid' },
    ...{ client_reference_id: 'user_42', customer_details: { email: `${n}@shop.test` }, ...more },
  })
const ofSubscription = (n: string, metadata: object = {}) => ({
  parent: { subscription_details: { subscription: `sub_${n}`, metadata } },
})

/** What a shop sends whose own ids are where a referral is expected too. The referral is somewhere else. */
const stripeLives: Record<string, (referral: string) => StripeEvent[]> = {
  subscription: (referral) => [session('a'), invoice('a', ofSubscription('a', { referral }))],
  'payment intent': (referral) => [
    session('b', {
      mode: 'payment',
      subscription: null,
      payment_intent: 'pi_b',
      amount_total: 10_000,
      currency: 'usd',
    }),
    stripeEvent('payment_intent.succeeded', {
      ...{ id: 'pi_b', customer: 'cus_b', currency: 'usd', amount: 10_000, amount_received: 10_000 },
      metadata: { referral },
    }),
  ],
  customer: (referral) => [
    session('c'),
    invoice('c', ofSubscription('c')),
    stripeEvent('customer.created', { id: 'cus_c', email: 'c@shop.test', metadata: { referral } }),
  ],
  'checkout, after another value in the metadata of the invoice': (referral) => [
    invoice('d', { ...ofSubscription('d'), metadata: { referral: 'campaign-of-spring' } }),
    session('d', { client_reference_id: referral }),
  ],
}

const orders: Record<string, <T>(events: T[]) => T[]> = {
  'in order': (events) => events,
  'in reverse': (events) => events.toReversed(),
}

async function sendAll(url: string, events: readonly StripeEvent[]) {
  for (const event of events) {
    expect((await sendStripe(app, url, event)).status).toBe(200)
    await app.app.deriveFeeds()
  }
}

async function sellersOf(program: TestProgram): Promise<string[]> {
  const { sales } = await program.graphql('{ sales(first: 50) { nodes { amountCents attributedBy referral { id } } } }')
  return sales.nodes.map((sale: any) => `${sale.referral.id} ${sale.attributedBy} ${sale.amountCents}`)
}

async function createWorld() {
  const program = await app.createProgram()
  const seller = await createSeller(program)
  app.clock.advanceMinutes(-60)
  const referral = (await recordVisit(program, seller.link.token)).id
  app.clock.advanceMinutes(60)
  return { program, ...seller, referral }
}

it.each(Object.keys(stripeLives).flatMap((place) => Object.keys(orders).map((order) => [place, order] as const)))(
  'a value that is no referral does not hide the referral of the %s, %s',
  async (place, order) => {
    const { program, referral } = await createWorld()
    const feed = await createStripeFeed(program)
    await sendAll(feed.url, (orders[order] as (typeof orders)[string])((stripeLives[place] as any)(referral)))
    expect(await sellersOf(program)).toEqual([`${referral} REFERRAL_ID 10000`])
  },
)

const others: Record<Exclude<FeedKindName, 'GENERIC'>, (referral: string) => object[]> = {
  PADDLE: (referral) => [
    {
      ...{ event_id: 'evt_1', event_type: 'transaction.completed', occurred_at: noon },
      data: {
        ...{ id: 'txn_1', status: 'completed', customer_id: 'ctm_1', subscription_id: 'sub_1', currency_code: 'USD' },
        ...{ custom_data: { referral: 'user_42' }, details: { totals: { total: '10000', grand_total: '10000' } } },
      },
    },
    {
      ...{ event_id: 'evt_2', event_type: 'subscription.created', occurred_at: noon },
      data: { id: 'sub_1', status: 'active', customer_id: 'ctm_1', custom_data: { referral } },
    },
  ],
  LEMON_SQUEEZY: (referral) => [
    {
      meta: { event_name: 'order_created', custom_data: { referral: 'user_42' } },
      data: {
        id: '1',
        attributes: {
          customer_id: 7,
          status: 'paid',
          total: 10_000,
          currency: 'USD',
          created_at: noon,
          updated_at: noon,
        },
      },
    },
    {
      meta: { event_name: 'subscription_created', custom_data: { referral } },
      data: { id: '2', attributes: { customer_id: 7, order_id: 1, status: 'active', updated_at: noon } },
    },
  ],
  CHARGEBEE: (referral) => [
    {
      ...{ id: 'ev_1', event_type: 'payment_succeeded', occurred_at: seconds },
      content: {
        customer: { id: 'c1', cf_referral: 'user_42', meta_data: { referral } },
        invoice: { id: '1', status: 'paid', total: 10_000, currency_code: 'USD', customer_id: 'c1', cf_referral: 'x' },
      },
    },
  ],
  POLAR: (referral) => [
    {
      ...{ type: 'order.paid', timestamp: noon },
      data: {
        ...{ id: 'ord_1', paid: true, total_amount: 10_000, currency: 'usd', customer_id: 'cus_1' },
        ...{ metadata: { referral: 'user_42', reference_id: 'x' }, customer: { metadata: { referral } } },
      },
    },
  ],
}

it.each(Object.keys(others) as (keyof typeof others)[])('tries each value in turn, at %s too', async (kind) => {
  const { program, referral } = await createWorld()
  const feed = await createFeedOf(program, kind)
  await sendEvents(app, feed.url, kind, others[kind](referral))
  expect(await sellersOf(program)).toEqual([`${referral} REFERRAL_ID 10000`])
})

it('goes on after a referral of an affiliate who is not active, to codes and addresses, and to the lead of a trial', async () => {
  const { program, referral, coupon, link } = await createWorld()
  const other = await createSeller(program)
  app.clock.advanceMinutes(-60)
  const { id: left } = await recordVisit(program, other.link.token)
  const { id: ofTrial } = await recordVisit(program, link.token)
  app.clock.advanceMinutes(60)
  await program.put(`/affiliates/${other.affiliate.id}`, { state: 'disabled' })
  const feed = await createStripeFeed(program)
  await sendAll(feed.url, [
    invoice('e', { metadata: { referral: left }, ...ofSubscription('e', { referral }) }),
    invoice('f', { metadata: { referral: left, coupon: 'SPRING' } }),
    stripeEvent('customer.updated', { id: 'cus_f', metadata: { coupon } }),
    stripeEvent('customer.created', { id: 'cus_g', email: 'g@shop.test', metadata: { referral: ofTrial } }),
    session('g', { payment_status: 'no_payment_required' }),
    stripeEvent('customer.subscription.created', { id: 'sub_g', customer: 'cus_g', status: 'trialing' }),
    // The address of the lead is that of the customer, and not that of the payment.
    stripeEvent('customer.created', { id: 'cus_h', email: 'g@shop.test' }),
    invoice('h'),
  ])
  expect((await sellersOf(program)).map((sale) => sale.split(' ')[1]).sort()).toEqual([
    'COUPON',
    'EMAIL',
    'REFERRAL_ID',
  ])
  const { referrals } = await program.graphql(
    '{ referrals(first: 9, where: { conversionState: { equals: LEAD } }) { totalCount } }',
  )
  expect(referrals.totalCount).toBe(0)
})

it('says what was tried, and why each value leads to nobody', async () => {
  const { program } = await createWorld()
  const feed = await createStripeFeed(program)
  const trial = stripeEvent('customer.subscription.created', {
    ...{ id: 'sub_j', customer: 'cus_j', status: 'trialing', metadata: { referral: 'user_7' } },
  })
  const paid = invoice('i', { ...ofSubscription('i'), metadata: { coupon: 'SPRING', referral: 'grace@shop.test' } })
  await sendAll(feed.url, [session('i'), paid, trial])
  const outcomes = await outcomesOf(program, feed.id)
  expect(outcomes[paid.id]).toMatchObject({
    outcome: 'IGNORED',
    reason:
      "No active affiliate matches this sale: `user_42` is no referral; `SPRING` is no affiliate's coupon; nobody with this e-mail.",
  })
  expect(outcomes[trial.id].reason).toBe(
    'It is a trial, so no sale. It leads to no affiliate: `user_7` is no referral; no coupon; no e-mail.',
  )
})
