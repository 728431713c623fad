import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { createSeller, recordLead, recordVisit } from '../../support/factories.ts'
import { createStripeFeed, outcomesOf, type StripeEvent, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

async function createShop() {
  const program = await app.createProgram()
  const seller = await createSeller(program)
  return { program, ...seller, feed: await createStripeFeed(program) }
}

const invoice = (n: string, more: object = {}) =>
  stripeEvent('invoice.paid', {
    ...{ id: `in_${n}`, customer: 'cus_1', customer_email: 'grace@shop.test', customer_name: 'Grace Hopper' },
    ...{ currency: 'usd', status: 'paid', total: 11_900, amount_paid: 11_900, payment_intent: `pi_${n}` },
    ...{ total_taxes: [{ amount: 1_900 }], ...more },
  })
/** The charge of the invoice, which says neither the tax nor the invoice. */
const charge = (n: string) =>
  stripeEvent('charge.succeeded', {
    ...{ id: `ch_${n}`, customer: 'cus_1', payment_intent: `pi_${n}`, currency: 'usd', amount: 11_900 },
    ...{ amount_captured: 11_900, paid: true, captured: true },
  })
const refund = (n: string) =>
  stripeEvent('charge.refunded', {
    ...{ id: `ch_${n}`, payment_intent: `pi_${n}`, currency: 'usd', amount: 11_900, amount_captured: 11_900 },
    ...{ amount_refunded: 5_950, captured: true, paid: true },
  })

/** An event of now: a lead has to be before its sale. */
const ofNow = (event: StripeEvent): StripeEvent => ({ ...event, created: Math.floor(app.clock.now.getTime() / 1000) })

async function send(url: string, ...events: StripeEvent[]) {
  for (const event of events) {
    expect((await sendStripe(app, url, event)).status).toBe(200)
    await derive()
  }
}

/** Derives what is due, and what waits some seconds for an invoice. */
async function derive() {
  app.clock.advanceMinutes(1)
  await app.app.deriveFeeds()
}

const keptOf = async (program: TestProgram, where = '') =>
  (
    await program.graphql(`{ unattributedSales(first: 50 ${where}) { nodes {
      id externalId email customerName billingCustomerId amountCents coupon needsAttention createdAt updatedAt
      signals { signal outcome } } } }`)
  ).unattributedSales.nodes

const attribute = async (program: TestProgram, id: string, affiliateId: string): Promise<{ id: string }> =>
  (
    await program.graphql(
      'mutation ($input: AttributeSaleInput!) { attributeSale(input: $input) { sale { id externalId } } }',
      { input: { id, affiliateId } },
    )
  ).attributeSale.sale

const salesOf = async (program: TestProgram) => {
  const { sales } = await program.graphql(`{ sales(first: 50) { nodes {
    id externalId amountCents refundedCents attributedBy affiliate { id } outcome
    commissions { nodes { amountCents state heldReason } } } } }`)
  return sales.nodes.sort((a: any, b: any) => a.externalId.localeCompare(b.externalId))
}
const unattributedEvents = async (program: TestProgram) => {
  const { events } = await program.graphql(
    '{ events(first: 50, where: { type: { equals: "tributary.sale.unattributed" } }) { totalCount } }',
  )
  return events.totalCount
}

describe('a sale of a feed that no affiliate brought', () => {
  it('is kept once, is found by its customer, e-mail and invoice, and asks for no attention', async () => {
    const { program, feed } = await createShop()
    await send(feed.url, charge('1'), invoice('1'), charge('1'), refund('1'))
    const kept = await keptOf(program)
    expect(kept).toMatchObject([
      {
        ...{ externalId: 'in_1', email: 'grace@shop.test', customerName: 'Grace Hopper', billingCustomerId: 'cus_1' },
        ...{ amountCents: 10_000, needsAttention: false },
        signals: [
          { signal: 'REFERRAL_ID', outcome: 'NOT_GIVEN' },
          { signal: 'COUPON', outcome: 'NOT_GIVEN' },
          { signal: 'EMAIL', outcome: 'NOT_FOUND' },
        ],
      },
    ])
    for (const text of ['hopper', 'GRACE@shop', 'in_1', 'cus_1', 'grace hop'])
      expect(await keptOf(program, `where: { search: "${text}" }`)).toEqual(kept)
    expect(await keptOf(program, 'where: { search: "ada" }')).toEqual([])
    expect(await keptOf(program, 'where: { needsAttention: { equals: true } }')).toEqual([])
    await program.graphql(`mutation { rederiveFeed(input: { feedId: "${feed.id}" }) { events } }`)
    expect(await keptOf(program)).toEqual(kept)
    expect(await unattributedEvents(program)).toBe(0)
  })

  it('asks for attention if a coupon, a referral or a lead is that of an affiliate', async () => {
    const { program, feed } = await createShop()
    const other = await createSeller(program)
    app.clock.advanceMinutes(-60)
    const visit = await recordVisit(program, other.link.token)
    const lead = await recordVisit(program, other.link.token)
    await recordLead(program, lead.id, 'lead@shop.test')
    app.clock.advanceMinutes(60)
    await program.put(`/affiliates/${other.affiliate.id}`, { state: 'disabled' })
    const of = (n: string, more: object) =>
      ofNow(invoice(n, { customer: `cus_${n}`, customer_email: `${n}@b.co`, ...more }))
    await send(
      feed.url,
      of('coupon', { metadata: { coupon: other.coupon } }),
      of('referral', { metadata: { referral: visit.id } }),
      of('lead', { customer_email: 'lead@shop.test' }),
      of('unknown', { metadata: { referral: '0198a2f0-7c3e-7a10-8000-00000000abcd' } }),
      of('own', { metadata: { coupon: 'SPRING', referral: 'user_42' } }),
    )
    const kept = await keptOf(program)
    expect(Object.fromEntries(kept.map((one: any) => [one.externalId, one.needsAttention]))).toEqual({
      in_coupon: true,
      in_referral: true,
      in_lead: true,
      in_unknown: true,
      in_own: false,
    })
    expect(await keptOf(program, 'where: { needsAttention: { equals: true } }')).toHaveLength(4)
    expect(await unattributedEvents(program)).toBe(4)
  })

  it('is not kept any more when a later event names its affiliate', async () => {
    const { program, feed, coupon } = await createShop()
    await send(feed.url, invoice('1'))
    expect(await keptOf(program)).toHaveLength(1)
    await send(feed.url, stripeEvent('customer.updated', { id: 'cus_1', metadata: { coupon } }))
    expect(await keptOf(program)).toEqual([])
    expect(await salesOf(program)).toMatchObject([{ externalId: 'in_1', amountCents: 10_000 }])
  })

  it('is kept for 90 days after it came, also if its events are derived again later', async () => {
    const { program, feed } = await createShop()
    await send(feed.url, invoice('1'))
    app.clock.advanceDays(91)
    expect(await keptOf(program)).toEqual([])
    await program.graphql(`mutation { rederiveFeed(input: { feedId: "${feed.id}" }) { events } }`)
    expect(await keptOf(program)).toEqual([])
    expect(await app.database.db.unattributedSale.count({ where: { programId: program.id } })).toBe(0)
  })

  it('stays dismissed, whatever else comes of its payment', async () => {
    const { program, feed } = await createShop()
    await send(feed.url, charge('1'))
    const [{ id }] = await keptOf(program)
    await program.graphql(`mutation { dismissUnattributedSale(input: { id: "${id}" }) { unattributedSale { id } } }`)
    await send(feed.url, invoice('1'))
    expect(await keptOf(program, 'where: { dismissedAt: { equals: null } }')).toEqual([])
    expect(await keptOf(program)).toMatchObject([{ id, externalId: 'in_1', amountCents: 10_000 }])
  })

  it.each(['before', 'after'] as const)('is what a report says that comes %s the event', async (order) => {
    const { program, feed } = await createShop()
    const report = () =>
      program.post('/conversions', { amount_cents: 9_000, external_id: 'in_1', coupon: 'SPRING', email: 'a@b.co' })
    const steps = [() => send(feed.url, invoice('1')), async () => void (await report())]
    for (const step of order === 'after' ? steps : steps.toReversed()) await step()
    expect(await keptOf(program)).toMatchObject([
      { externalId: 'in_1', amountCents: 9_000, coupon: 'SPRING', email: 'a@b.co', needsAttention: true },
    ])
  })
})

describe('attributing a sale of a feed', () => {
  /** Three payments of one customer. The last one to come is of before the others. */
  const life = () => [
    ...[charge('1'), invoice('1'), refund('1'), invoice('2')],
    { ...invoice('0', { payment_intent: 'pi_0' }), created: 1_773_000_000 },
  ]

  /** The state after all events, with the attribution after this number of them. */
  async function attributedAfter(number: number) {
    const { program, feed, affiliate } = await createShop()
    const events = life()
    await send(feed.url, ...events.slice(0, number))
    const kept = (await keptOf(program)).find(({ externalId }: any) => externalId.endsWith('_1'))
    await attribute(program, kept.id, affiliate.id)
    await send(feed.url, ...events.slice(number))
    await derive()
    expect(await keptOf(program)).toEqual([])
    expect(await findViolations(app.database)).toEqual([])
    const earnings = (await salesOf(program)).map(({ externalId, amountCents, refundedCents, ...sale }: any) => {
      const commissions = sale.commissions.nodes.map((one: any) => `${one.amountCents} ${one.heldReason}`)
      const isTheirs = sale.affiliate.id === affiliate.id
      return [externalId.slice(3), amountCents, refundedCents, isTheirs, sale.outcome, ...commissions].join(' ')
    })
    return earnings.sort()
  }

  it('earns the same, whenever it is attributed among the events of its customer', async () => {
    const states = []
    for (const number of [1, 2, 3, 4, 5]) states.push(await attributedAfter(number))
    expect(states[0]).toEqual([
      '0 10000 0 true HELD 1000 VISIT_AFTER_SALE',
      '1 10000 5000 true EARNED 500 null',
      '2 10000 0 true EARNED 1000 null',
    ])
    for (const state of states) expect(state).toEqual(states[0])
  })

  it('applies a refund that waits for it under another id of the payment', async () => {
    const { program, feed, affiliate } = await createShop()
    const waiting = await program.post('/conversions/refund', { external_id: 'ch_1', amount_cents: 2_500 })
    expect(waiting.status).toBe(202)
    await send(feed.url, invoice('1'), charge('1'))
    const [kept] = await keptOf(program)
    await attribute(program, kept.id, affiliate.id)
    await derive()
    expect(await salesOf(program)).toMatchObject([{ externalId: 'in_1', refundedCents: 2_500 }])
  })

  it('can be undone, with the sales that followed it', async () => {
    const { program, feed, affiliate } = await createShop()
    const anonymous = { customer_email: null, customer_name: null }
    await send(feed.url, invoice('1', anonymous), invoice('2', anonymous))
    const kept = await keptOf(program)
    const first = kept.find(({ externalId }: any) => externalId === 'in_1')
    await attribute(program, first.id, affiliate.id)
    await derive()
    const sales = await salesOf(program)
    expect(sales).toMatchObject([{ attributedBy: 'MANUAL' }, { attributedBy: 'REFERRAL_ID' }])
    for (const { id } of sales)
      await program.graphql(
        'mutation ($input: UndoAttributionInput!) { undoAttribution(input: $input) { sale { id } } }',
        {
          input: { saleId: id, reason: 'The wrong Grace' },
        },
      )
    await send(feed.url, invoice('3', anonymous), invoice('0', { ...anonymous, created: 1_700_000_000 }))
    await derive()
    expect(await salesOf(program)).toMatchObject([
      { outcome: 'ATTRIBUTION_UNDONE', commissions: { nodes: [{ amountCents: 0 }] } },
      { outcome: 'ATTRIBUTION_UNDONE', commissions: { nodes: [{ amountCents: 0 }] } },
    ])
    const waiting = await keptOf(program)
    expect(waiting.map(({ externalId, needsAttention }: any) => `${externalId} ${needsAttention}`).sort()).toEqual([
      'in_0 false',
      'in_1 true',
      'in_2 true',
      'in_3 false',
    ])
    const outcomes = Object.values(await outcomesOf(program, feed.id)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['IGNORED', 'IGNORED', 'SALE', 'SALE'])
  })
})
