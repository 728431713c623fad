import { afterAll, expect, it } from 'vitest'
import { writeNotices } from '../../../src/modules/mails/notices.ts'
import { createTestApp, type TestProgram, testKey } from '../../support/app.ts'
import { addMember, setUpOperator } from '../../support/people.ts'
import { createSmtp } from '../../support/smtp.ts'
import { createStripeFeed, outcomesOf, sendStripe, stripeEvent } from '../../support/stripe.ts'

const smtp = await createSmtp()
const test = await createTestApp({ mailer: smtp.mailer })
afterAll(smtp.close)
const olga = await setUpOperator(test)
const { db } = test.database

const problemsOf = async (program: TestProgram, id: string) => {
  const { feed } = await program.graphql('query ($id: ID!) { feed(id: $id) { problems { kind message } } }', { id })
  return feed.problems.map(({ kind }: any) => kind)
}
const send = async (url: string, event: ReturnType<typeof stripeEvent>) => {
  const response = await sendStripe(test, url, event)
  await test.app.deriveFeeds()
  return response.status
}
const newInvoice = (id: string) =>
  stripeEvent('invoice.paid', {
    ...{ id, customer: 'cus_1', currency: 'usd', status: 'paid', total: 5_000, amount_paid: 5_000, total_taxes: [] },
    parent: { subscription_details: { subscription: 'sub_1', metadata: {} } },
  })

it('a thin event fails, and the feed says to choose snapshot events', async () => {
  const program = await test.createProgram()
  const feed = await createStripeFeed(program)
  const thin = {
    ...{ id: 'evt_thin', object: 'v2.core.event', type: 'v1.invoice.paid', livemode: true },
    ...{ created: '2026-03-10T12:00:00Z', related_object: { id: 'in_1', type: 'invoice' } },
  }
  expect(await send(feed.url, thin as any)).toBe(200)
  expect((await outcomesOf(program, feed.id)).evt_thin).toMatchObject({
    outcome: 'FAILED',
    reason: 'This endpoint sends thin events. Choose snapshot events.',
  })
  expect(await problemsOf(program, feed.id)).toEqual(['THIN_EVENTS'])
})

it('a feed of test mode that gets live events tells the managers, until its mode is changed', async () => {
  const program = await test.createProgram()
  const ann = 'ann@problems.test'
  await addMember(test, olga, program.id, { email: ann, role: 'OWNER' })
  const feed = await createStripeFeed(program)
  await send(feed.url, stripeEvent('customer.created', { id: 'cus_1' }, { livemode: false }))
  const notify = () => writeNotices({ db, now: () => test.clock.now, publicUrl: () => test.origin, key: testKey })
  const mails = async () =>
    (
      await program.graphql(
        '{ mails(first: 9, where: { kind: { equals: DELIVERIES_FAILING } }) { nodes { to text } } }',
      )
    ).mails.nodes
  await notify()
  expect(await mails()).toEqual([])
  await send(feed.url, newInvoice('in_live'))
  expect(await problemsOf(program, feed.id)).toEqual(['LIVE_EVENTS_IGNORED'])
  await notify()
  expect(await mails()).toEqual([{ to: ann, text: expect.stringContaining('Stripe') }])
  await program.graphql('mutation ($input: UpdateFeedInput!) { updateFeed(input: $input) { feed { id } } }', {
    input: { id: feed.id, mode: 'LIVE' },
  })
  expect(await problemsOf(program, feed.id)).toEqual([])
})

it('says that no payment came for a month, that requests are rejected, and which event is missing', async () => {
  const program = await test.createProgram()
  const feed = await createStripeFeed(program)
  await send(feed.url, newInvoice('in_1'))
  expect(await problemsOf(program, feed.id)).toEqual(['INVOICE_PAYMENTS_MISSING'])
  const payment = { type: 'payment_intent', payment_intent: 'pi_1' }
  await send(feed.url, stripeEvent('invoice_payment.paid', { id: 'inpay_1', invoice: 'in_1', payment }))
  expect(await problemsOf(program, feed.id)).toEqual([])
  test.clock.advanceDays(31)
  expect(await problemsOf(program, feed.id)).toEqual(['NO_PAYMENTS'])
  await send(feed.url, newInvoice('in_2'))
  expect(await problemsOf(program, feed.id)).toEqual([])
  const rejected = await sendStripe(test, feed.url, newInvoice('in_3'), { 'Stripe-Signature': 't=1,v1=00' })
  expect(rejected.status).toBe(400)
  expect(await problemsOf(program, feed.id)).toEqual(['REQUESTS_REJECTED'])
})
