import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { adminToken, createTestApp, type TestProgram } from '../support/app.ts'
import { startChild } from '../support/data-directory.ts'
import { createSeller, recordVisit } from '../support/factories.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../support/stripe.ts'
import { createStripeApi } from '../support/stripe-api.ts'

const app = await createTestApp()
const server = createServer(app.app.handle)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
const folder = mkdtempSync(join(tmpdir(), 'feeds-'))
const keyFile = join(folder, 'key')
const state = join(folder, 'state.json')
writeFileSync(keyFile, 'rk_of_the_tests\n')
afterAll(() => void server.close())

const feed = (...args: string[]) =>
  startChild('src/cli/tributary.ts', ['feed', ...args], {
    TRIBUTARY_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: adminToken,
    NODE_ENV: '',
  }).exited
async function json(...args: string[]) {
  const { code, output } = await feed(...args)
  expect([code, output]).toEqual([0, expect.stringMatching(/^[{].*[}]$/)])
  return JSON.parse(output)
}

const created = 1_773_144_000
const live = { created, livemode: true }
const invoiceOf = (number: number) => ({
  id: `in_${number}`,
  object: 'invoice',
  ...live,
  customer: `cus_${number}`,
  currency: 'usd',
  status: 'paid',
  total: 10_000,
  amount_paid: 10_000,
})
const chargeOf = (number: number, more: object = {}) => ({
  id: `ch_${number}`,
  object: 'charge',
  ...live,
  customer: `cus_${number}`,
  payment_intent: `pi_${number}`,
  currency: 'usd',
  status: 'succeeded',
  paid: true,
  amount: 10_000,
  amount_captured: 10_000,
  amount_refunded: 0,
  ...more,
})

/** Five customers with an invoice each. The first three came by a link; the first has a refund. */
function historyOf(referral: string) {
  const numbers = [1, 2, 3, 4, 5]
  return {
    '/v1/customers': numbers.map((number) => ({
      ...{ id: `cus_${number}`, object: 'customer', ...live, email: `customer${number}@example.com` },
      metadata: number <= 3 ? { referral } : {},
    })),
    '/v1/invoices': numbers.map(invoiceOf),
    '/v1/invoice_payments': numbers.map((number) => ({
      ...{ id: `inpay_${number}`, object: 'invoice_payment', ...live, status: 'paid', invoice: `in_${number}` },
      payment: { type: 'payment_intent', payment_intent: `pi_${number}` },
    })),
    '/v1/charges': numbers.map((number) => chargeOf(number, number === 1 ? { amount_refunded: 4_000 } : {})),
    '/v1/refunds': [
      { id: 're_1', object: 'refund', ...live, amount: 4_000, currency: 'usd', charge: 'ch_1', status: 'succeeded' },
    ],
  }
}

async function salesOf(program: TestProgram) {
  const { sales } = await program.graphql('{ sales(first: 20) { nodes { externalId amountCents refundedCents } } }')
  return sales.nodes.sort((a: any, b: any) => a.externalId.localeCompare(b.externalId))
}

it('a dry run finds what a real run records: sales by promotion codes, which are named by their ids', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  const { id } = await createStripeFeed(program)
  const invoices = [1, 2].map((number) => ({ ...invoiceOf(number), discounts: [{ promotion_code: 'promo_1' }] }))
  const code = { id: 'promo_1', object: 'promotion_code', ...live, code: coupon, coupon: { id: 'co_1' } }
  const api = await createStripeApi({ '/v1/promotion_codes': [code], '/v1/invoices': invoices })
  const backfill = [
    ...['backfill', '--program', program.slug, '--feed', id, '--since', '2025-01-01'],
    ...['--key-file', keyFile, '--api', api.url, '--state', state],
  ]
  expect((await json(...backfill, '--dry-run')).totals).toEqual([{ change: 'SALE', count: 2 }])
  await json(...backfill)
  await app.app.deriveFeeds()
  expect(await salesOf(program)).toHaveLength(2)
})

it('past payments are read from an API that pages, limits and fails; a run goes on where one stopped', async () => {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  const { id: referral } = await recordVisit(program, link.token)
  const { id, url } = await createStripeFeed(program)
  const api = await createStripeApi(historyOf(referral))
  const backfill = [
    ...['backfill', '--program', program.slug, '--feed', id, '--since', '2025-01-01'],
    ...['--key-file', keyFile, '--api', api.url, '--state', state],
  ]
  const expected = [
    { externalId: 'in_1', amountCents: 10_000, refundedCents: 4_000 },
    { externalId: 'in_2', amountCents: 10_000, refundedCents: 0 },
    { externalId: 'in_3', amountCents: 10_000, refundedCents: 0 },
  ]

  const { differences, ...dry } = await json(...backfill, '--dry-run')
  expect(dry).toMatchObject({ stored: 0, dry_run: true, not_readable: expect.stringContaining('/v1/disputes') })
  expect(dry.totals).toEqual([
    { change: 'SALE', count: 3 },
    { change: 'REFUND', count: 1 },
  ])
  expect(differences.map(({ sale, what }: any) => `${sale} ${what}`).sort()).toEqual([
    'in_1 would refund 40.00 USD (re_1)',
    ...expected.map(({ externalId }) => `${externalId} would report a sale of 100.00 USD`),
  ])
  expect(await salesOf(program)).toEqual([])

  // One of the payments came by webhook before.
  await sendStripe(app, url, stripeEvent('customer.created', historyOf(referral)['/v1/customers'][1] as any))
  await sendStripe(app, url, stripeEvent('invoice.paid', invoiceOf(2)))
  await app.app.deriveFeeds()
  expect(await salesOf(program)).toEqual([expected[1]])

  api.read.length = 0
  api.failAfter(12)
  const stopped = await feed(...backfill)
  expect([stopped.code, stopped.output]).toEqual([1, expect.stringContaining('goes on where it stopped')])
  expect(existsSync(state)).toBe(true)
  api.recover()
  expect(await json(...backfill)).toMatchObject({ known: 0, dry_run: false })
  expect(existsSync(state)).toBe(false)
  expect(api.read.length).toBe(new Set(api.read).size)
  expect(api.read.length).toBe(21)
  await app.app.deriveFeeds()
  expect(await salesOf(program)).toEqual(expected)

  const { stored, known } = await json(...backfill)
  expect([stored, known]).toEqual([0, 20])
  api.close()
})

it('events of test mode do not become sales of a live feed, by back-fill or by deriving again', async () => {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  const { id: referral } = await recordVisit(program, link.token)
  const { id, url } = await createStripeFeed(program)
  const paid = (number: number) => ({ ...invoiceOf(number), metadata: { referral } })
  await sendStripe(app, url, stripeEvent('invoice.paid', paid(1)))
  await sendStripe(app, url, stripeEvent('invoice.paid', paid(2), { livemode: false }))
  const api = await createStripeApi({ '/v1/invoices': [{ ...paid(3), livemode: false }] })
  const { code, output } = await feed(
    ...['backfill', '--program', program.slug, '--feed', id, '--since', '2025-01-01'],
    ...['--key-file', keyFile, '--api', api.url, '--state', state],
  )
  expect([code, output]).toEqual([1, expect.stringContaining('test mode, but the feed takes events of live mode')])
  await app.app.deriveFeeds()
  const ofFeed = ['rederive', '--program', program.slug, '--feed', id]
  expect(await json(...ofFeed, '--dry-run')).toEqual({ events: 2, dry_run: true, totals: [], differences: [] })
  expect(await json(...ofFeed)).toMatchObject({ events: 2, dry_run: false })
  expect((await salesOf(program)).map(({ externalId }: any) => externalId)).toEqual(['in_1'])
  api.close()
})

it('explain shows everything that led to a sale, also what names only its charge', async () => {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  const { id: referral } = await recordVisit(program, link.token)
  const { url } = await createStripeFeed(program)
  const paid = { ...invoiceOf(1), metadata: { referral }, payment_intent: 'pi_1' }
  await sendStripe(app, url, stripeEvent('invoice.paid', paid))
  await sendStripe(app, url, stripeEvent('charge.refunded', chargeOf(1, { amount_refunded: 1_000 })))
  await app.app.deriveFeeds()
  const { events } = await json('explain', 'in_1', '--program', program.slug)
  expect(events.map(({ type, outcome, sale }: any) => [type, outcome, sale])).toEqual([
    ['charge.refunded', 'REFUND', 'in_1'],
    ['invoice.paid', 'SALE', 'in_1'],
  ])
  expect(await json('explain', 'in_unknown', '--program', program.slug)).toEqual({ events: [] })
})
