import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { adminToken, createTestProgram, graphqlClient } from '../../support/app.ts'
import { makeDataDir, startChild } from '../../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../../support/database.ts'
import { createSeller } from '../../support/factories.ts'
import { times } from '../../support/parallel.ts'
import { createStripeFeed, type StripeEvent, signatureOf, stripeEvent } from '../../support/stripe.ts'

const kills = Number(process.env.KILLS)
const lives = 20 * kills

/** A customer who pays an invoice, whose charge is refunded in two steps. */
function lifeOf(number: number, coupon: string): StripeEvent[] {
  const common = { customer: `cus_${number}`, currency: 'usd' }
  const invoice = {
    ...common,
    id: `in_${number}`,
    total: 12_000,
    amount_paid: 12_000,
    total_taxes: [{ amount: 2_000 }],
  }
  const charge = { ...common, id: `ch_${number}`, payment_intent: `pi_${number}`, amount: 12_000 }
  const payment = { id: `inpay_${number}`, invoice: `in_${number}`, payment: { payment_intent: `pi_${number}` } }
  return [
    stripeEvent('invoice.paid', { ...invoice, customer_email: `${number}@shop.test`, metadata: { coupon } }),
    stripeEvent('invoice_payment.paid', payment),
    stripeEvent('charge.succeeded', { ...charge, paid: true, status: 'succeeded', amount_captured: 12_000 }),
    stripeEvent('charge.refunded', { ...charge, amount_refunded: 1_200 }),
    stripeEvent('charge.refunded', { ...charge, amount_refunded: 6_000 }),
  ]
}

test('kill -9 while events are received and derived loses no event and doubles no sale', async () => {
  const postgres = inject('databases').postgres ? await createPostgresClone() : null
  if (postgres) onTestFinished(postgres.drop)
  const options = { dataDir: postgres ? tmpdir() : await makeDataDir(), databaseUrl: postgres?.url ?? '' }
  const start = async () => {
    const settings = {
      NODE_ENV: 'production',
      PORT: '0',
      ADMIN_TOKEN: adminToken,
      WEBHOOK_KEY: 'key-of-the-feed-tests',
    }
    const env = { ...settings, DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl }
    const child = startChild('src/main.ts', [], env)
    return { child, address: JSON.parse(await child.ready()).address as string }
  }
  let server = await start()
  const fetchHere = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(`${server.address}${pathname}${search}`, request))
  }
  const operator = graphqlClient(fetchHere, { Authorization: `Bearer ${adminToken}` })
  const program = await createTestProgram(fetchHere, operator, {})
  const { coupon } = await createSeller(program)
  const feed = await createStripeFeed(program)
  const kill = async () => {
    server.child.process.kill('SIGKILL')
    await server.child.exited
  }

  /** Whether the event was acknowledged. If not, the billing system sends it again. */
  const send = async (event: StripeEvent): Promise<boolean> => {
    const body = JSON.stringify(event)
    const headers = { 'Stripe-Signature': signatureOf(body, Math.floor(Date.now() / 1000)), Connection: 'close' }
    const request = { method: 'POST', headers, body }
    const response = await fetch(`${server.address}/feeds/${feed.id}`, request).catch(() => null)
    if (response) expect([200, 503]).toContain(response.status)
    return response?.status === 200
  }
  const waiting = Array.from({ length: lives }, (_, number) => lifeOf(number, coupon)).flat()
  // In any order.
  for (let last = waiting.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    ;[waiting[last], waiting[other]] = [waiting[other] as StripeEvent, waiting[last] as StripeEvent]
  }
  const acknowledged: string[] = []
  for (let round = 0; round <= kills; round += 1) {
    let isUp = true
    const rest = round === kills ? 0 : waiting.length - Math.ceil((lives * 5) / (kills + 1))
    const senders = times(8, async () => {
      while (isUp && waiting.length > rest) {
        const event = waiting.shift() as StripeEvent
        if (await send(event)) acknowledged.push(event.id)
        else waiting.push(event)
      }
    })
    if (round === kills) {
      await senders
      break
    }
    await Promise.race([senders, pause(randomInt(200, 2_000))])
    await pause(randomInt(300))
    await kill()
    isUp = false
    await senders
    server = await start()
  }

  const count = async (outcome: string) => {
    const { feedEvents } = await program.graphql(
      `{ feedEvents(first: 1, where: { outcome: { equals: ${outcome} } }) { totalCount } }`,
    )
    return feedEvents.totalCount
  }
  await expect.poll(() => count('WAITING'), { timeout: 120_000, interval: 500 }).toBe(0)
  expect(await count('FAILED')).toBe(0)
  await kill()
  const database = await openDatabase({ ...options, log })
  onTestFinished(database.close)
  const { db } = database
  const stored = await db.feedEvent.findMany({ select: { externalId: true } })
  expect(stored.map(({ externalId }) => externalId).sort()).toEqual(acknowledged.sort())
  const sales = await db.sale.findMany({ include: { refunds: true, commissions: true } })
  expect(sales.map(({ externalId }) => externalId).sort()).toEqual(
    Array.from({ length: lives }, (_, n) => `in_${n}`).sort(),
  )
  for (const { amountCents, refundedCents, commissions } of sales) {
    expect([amountCents, refundedCents]).toEqual([10_000n, 5_000n])
    expect(commissions.map((commission) => commission.amountCents)).toEqual([500n])
  }
  expect(await examine(database)).toEqual([])
}, 600_000)
