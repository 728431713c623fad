import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { createSeller, recordLead, recordVisit } from '../../support/factories.ts'
import { createStripeFeed, outcomesOf, type StripeEvent, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

/** Ada has a lead by e-mail; Bob and Carl have visits. */
async function createShop() {
  const program = await app.createProgram()
  app.clock.advanceMinutes(-600)
  const [ada, bob] = [await createSeller(program), await createSeller(program)]
  const lead = await recordVisit(program, ada.link.token)
  const visit = await recordVisit(program, bob.link.token)
  await recordLead(program, lead.id, 'grace@shop.test')
  app.clock.advanceMinutes(600)
  return { program, ada, bob, lead: lead.id, visit: visit.id, feed: await createStripeFeed(program) }
}

const payment = (metadata: object, more: object = {}) =>
  stripeEvent('payment_intent.succeeded', {
    ...{ id: 'pi_1', customer: 'cus_1', currency: 'usd', amount: 11_900, amount_received: 11_900 },
    ...{ latest_charge: 'ch_1', receipt_email: 'grace@shop.test', metadata, ...more },
  })
const checkout = (more: object = {}) =>
  stripeEvent('checkout.session.completed', {
    ...{ id: 'cs_1', mode: 'payment', customer: 'cus_1', payment_intent: 'pi_1', payment_status: 'paid' },
    ...{ amount_total: 11_900, total_details: { amount_tax: 1_900 }, currency: 'usd', ...more },
    customer_details: { email: 'grace@shop.test' },
  })
const refund = (cents: number) =>
  stripeEvent('charge.refunded', {
    ...{ id: 'ch_1', payment_intent: 'pi_1', currency: 'usd', amount: 11_900, amount_captured: 11_900 },
    ...{ amount_refunded: cents, captured: true, paid: true },
  })

/** An event of now: a lead has to be before its sale. */
const ofNow = (event: StripeEvent): StripeEvent => ({ ...event, created: Math.floor(app.clock.now.getTime() / 1000) })

async function send(url: string, event: StripeEvent, minutes = 1) {
  expect((await sendStripe(app, url, ofNow(event))).status).toBe(200)
  app.clock.advanceMinutes(minutes)
  await app.app.deriveFeeds()
}

async function stateOf(program: TestProgram) {
  const { sales } = await program.graphql(`{ sales(first: 20) { nodes {
    id amountCents refundedCents attributedBy affiliate { id }
    commissions { nodes { amountCents state kind affiliate { id } } } } } }`)
  return sales.nodes
}
const shown = (sales: any[]) =>
  sales.map(({ amountCents, refundedCents, attributedBy, affiliate, commissions: { nodes } }) =>
    [
      amountCents,
      refundedCents,
      attributedBy,
      affiliate.id,
      ...nodes.map((one: any) => `${one.amountCents} ${one.state}`),
    ].join(' '),
  )

it('changes the amount of its sale, with history', async () => {
  const { program, ada, lead, feed } = await createShop()
  await send(feed.url, payment({ referral: lead }))
  expect(shown(await stateOf(program))).toEqual([`11900 0 REFERRAL_ID ${ada.affiliate.id} 1190 PENDING`])
  await send(feed.url, checkout())
  expect(shown(await stateOf(program))).toEqual([`10000 0 REFERRAL_ID ${ada.affiliate.id} 1000 PENDING`])
  const { commissions } = await program.graphql(
    '{ commissions(first: 9) { nodes { history { nodes { action reason } } } } }',
  )
  expect(commissions.nodes[0].history.nodes[0]).toMatchObject({
    action: 'RECALCULATED',
    reason: expect.stringContaining('was changed: the billing system said more of the payment'),
  })
  expect(await findViolations(app.database)).toEqual([])
})

it('gives the sale to the affiliate whom it names', async () => {
  const { program, bob, visit, feed } = await createShop()
  await send(feed.url, payment({}))
  await send(feed.url, checkout({ client_reference_id: visit }))
  expect(shown(await stateOf(program))).toEqual([`10000 0 REFERRAL_ID ${bob.affiliate.id} 1000 PENDING`])
  expect(await findViolations(app.database)).toEqual([])
})

it.each([
  [
    'was paid',
    async (program: TestProgram) => {
      app.clock.advanceDays(40)
      const [{ id }] = (await program.get('/payouts')).body.data
      expect((await program.post(`/payouts/${id}/pay`, {})).status).toBe(200)
    },
    '10000 0 EMAIL',
    ['-190', '1190'],
    'is paid or sent',
  ],
  [
    'was changed by a person',
    async (program: TestProgram) => {
      const [{ id }] = await stateOf(program)
      await program.graphql(`mutation { changeSale(input: { id: "${id}", amountCents: 9000 }) { sale { id } } }`)
    },
    '9000 0 REFERRAL_ID',
    ['900'],
    null,
  ],
] as const)('after the sale %s changes only what can be changed', async (_what, happens, sale, earned, reason) => {
  const { program, ada, bob, visit, feed } = await createShop()
  await send(feed.url, payment({}))
  await happens(program)
  const late = checkout({ client_reference_id: visit })
  await send(feed.url, late)
  const [state] = await stateOf(program)
  expect(shown([state])[0]).toContain(`${sale} ${reason === null ? bob.affiliate.id : ada.affiliate.id}`)
  const { commissions } = await program.graphql('{ commissions(first: 9) { nodes { amountCents } } }')
  expect(commissions.nodes.map((one: any) => String(one.amountCents)).sort()).toEqual(earned)
  const outcome = (await outcomesOf(program, feed.id))[late.id]
  if (reason !== null) expect(outcome.reason).toContain(reason)
  expect(await findViolations(app.database)).toEqual([])
})

it('leaves a sale that the company has reported', async () => {
  const { program, visit, feed } = await createShop()
  await program.post('/conversions', { external_id: 'pi_1', amount_cents: 11_900, email: 'grace@shop.test' })
  await send(feed.url, payment({}))
  await send(feed.url, checkout({ client_reference_id: visit }))
  expect(shown(await stateOf(program))[0]).toContain('11900 0 EMAIL')
})

it('is listed by a dry run until it is applied', async () => {
  const { program, visit, feed } = await createShop()
  await send(feed.url, payment({}))
  expect((await sendStripe(app, feed.url, ofNow(checkout({ client_reference_id: visit })))).status).toBe(200)
  const rederive = async (dryRun: boolean) =>
    (
      await program.graphql(
        `mutation { rederiveFeed(input: { feedId: "${feed.id}", dryRun: ${dryRun} }) { totals { change count } differences { what saleExternalId } } }`,
      )
    ).rederiveFeed
  expect(await rederive(true)).toEqual({
    totals: [{ change: 'CHANGE', count: 2 }],
    differences: [
      { saleExternalId: 'pi_1', what: 'would change the amount from 119.00 USD to 100.00 USD' },
      { saleExternalId: 'pi_1', what: `would give the sale to the affiliate of \`${visit}\`` },
    ],
  })
  await rederive(false)
  expect((await rederive(true)).totals).toEqual([])
  await rederive(false)
  expect(shown(await stateOf(program))[0]).toContain('10000 0 REFERRAL_ID')
})

it('and everything else of a payment end in one state, whatever comes first', async () => {
  const events = (lead: string) => [
    payment({ referral: lead }),
    checkout(),
    refund(5_950),
    stripeEvent('invoice.paid', {
      ...{ id: 'in_1', customer: 'cus_1', currency: 'usd', status: 'paid', payment_intent: 'pi_1' },
      ...{ total: 11_900, amount_paid: 11_900, total_taxes: [{ amount: 1_900, tax_behavior: 'exclusive' }] },
      lines: {
        data: [
          {
            ...{ amount: 10_000, pricing: { price_details: { product: 'prod_pro' } } },
            price: { recurring: { interval: 'year', interval_count: 1 } },
          },
        ],
      },
    }),
  ]
  const orderings = <T>(list: T[]): T[][] =>
    list.length < 2
      ? [list]
      : list.flatMap((one, index) => orderings(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))
  const { program, feed, ada } = await createShop()
  const states = new Set<string>()
  let number = 0
  for (const order of orderings([0, 1, 2, 3]).filter((_order, index) => index % 3 === 0)) {
    number += 1
    const visit = await recordVisit(program, ada.link.token)
    // Each life has ids of its own.
    const own = (event: StripeEvent): StripeEvent => {
      const text = JSON.stringify(event).replace(/(pi|in|cs|ch|cus)_1/g, `$1_${number}x`)
      return { ...JSON.parse(text.replaceAll('grace@', `grace${number}@`)), id: `${event.id}_${number}` }
    }
    const lives = events(visit.id)
    for (const index of order) await send(feed.url, own(lives[index] as StripeEvent), 2_000)
    const { sales } =
      await program.graphql(`{ sales(first: 100) { nodes { externalId amountCents refundedCents billingInterval items { productId amountCents }
      commissions { nodes { amountCents state } } } } }`)
    const mine = sales.nodes.filter((one: any) => one.externalId.endsWith(`_${number}x`))
    states.add(JSON.stringify(mine.map(({ externalId, ...one }: any) => one)))
  }
  expect([...states]).toHaveLength(1)
  expect([...states][0]).toContain('"amountCents":10000,"refundedCents":5000,"billingInterval":"YEAR"')
  expect(await findViolations(app.database)).toEqual([])
})
