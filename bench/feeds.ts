import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../src/database/open.ts'
import type { AppDb } from '../src/kernel/db.ts'
import { mintId } from '../src/kernel/ids.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { importAffiliates } from '../src/modules/affiliates/csv-import.ts'
import { createFeed } from '../src/modules/feeds/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { readWebhookKey } from '../src/modules/webhooks/key.ts'
import { processCpuMs } from './cpu.ts'
import { createPostgresBenchDatabase, log, operatorCtx } from './database.ts'
import { headersOf } from './peers.ts'
import { residentMbOf } from './resident-memory.ts'
import { type Server, servers, startEmbedded } from './servers.ts'

export const summary =
  'Events of a billing system: how many are taken in a second, beside another program, and derived.'
export const unit = 'stored events'
export const defaultSize = 100_000

const secret = 'whsec_bench'
const webhookKey = randomBytes(24).toString('hex')
const seconds = 8
const connections = 32
const goals = { PostgreSQL: 500, embedded: 50 }
/** Events of one customer: a checkout, an invoice, its payment, its charge, and for a tenth of them a refund. */
const eventsOfLife = 5

type Programs = { programId: string; feedId: string; quietKey: string }

export async function createPrograms(db: AppDb): Promise<Programs> {
  const ctx = operatorCtx(db)
  const make = async (name: string) => {
    const program = await createProgram(ctx, { name, url: 'https://acme.test', currency: 'usd' })
    await importAffiliates({ ...ctx, program }, { csv: 'email,coupon\nada@example.com,ADA\nbob@example.com,BOB' })
    return program
  }
  const [program, quiet] = [await make('Selling'), await make('Quiet')]
  const key = await readWebhookKey(webhookKey, '')
  const { feed } = await createFeed({ ...ctx, program }, { key }, { kind: 'stripe', name: 'Stripe', secret })
  const { secret: quietKey } = await createApiKey(ctx, quiet.id, { name: 'Bench' })
  return { programId: program.id, feedId: feed.id, quietKey }
}

/** The event with this number, in the lives of customers. Every second customer has the coupon of an affiliate. */
function eventOf(number: number, start: string): object {
  const life = Math.floor(number / eventsOfLife)
  const id = `${start}${life}`
  const customer = `cus_${id}`
  const created = Math.floor(Date.now() / 1000)
  const common = { customer, currency: 'usd', ...(life % 2 === 0 && { metadata: { coupon: 'ADA' } }) }
  const charge = { ...common, id: `ch_${id}`, object: 'charge', amount: 12_000, payment_intent: `pi_${id}` }
  const lines = { data: [{ amount: 10_000, description: 'Pro', price: { product: 'prod_1' } }] }
  const [type, object] = [
    ['checkout.session.completed', { ...common, id: `cs_${id}`, mode: 'subscription', invoice: `in_${id}` }],
    [
      'invoice.paid',
      {
        ...{
          ...common,
          id: `in_${id}`,
          customer_email: `${id}@example.com`,
          total: 12_000,
          amount_paid: 12_000,
          lines,
        },
        total_taxes: [{ amount: 2_000 }],
      },
    ],
    [
      'invoice_payment.paid',
      { id: `inpay_${id}`, invoice: `in_${id}`, payment: { payment_intent: `pi_${id}` }, status: 'paid' },
    ],
    ['charge.succeeded', { ...charge, paid: true, status: 'succeeded', amount_captured: 12_000 }],
    life % 10 === 0
      ? ['charge.refunded', { ...charge, amount_refunded: 6_000 }]
      : ['customer.updated', { id: customer, email: `${id}@example.com`, name: 'Grace Hopper' }],
  ][number % eventsOfLife] as [string, object]
  return { id: `evt_${start}${number}`, object: 'event', type, created, livemode: true, data: { object } }
}

type Sender = { send(event: object): Promise<number>; close(): void }

/** Sends over connections that stay open, as one sender does. */
function createSender({ address }: Server, feedId: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    close: () => agent.destroy(),
    send: (event) =>
      new Promise((done, fail) => {
        const body = JSON.stringify(event)
        const time = Math.floor(Date.now() / 1000)
        const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
        const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${time},v1=${digest}` }
        const sent = request(`${address}/feeds/${feedId}`, { agent, method: 'POST', headers }, (response) => {
          response.resume()
          response.on('end', () => done(response.statusCode ?? 0))
        })
        sent.on('error', fail)
        sent.end(body)
      }),
  }
}

/** Sends events at a rate, whatever the answers take. A rate of null sends the next when one is answered. */
async function sendFor(sender: Sender, start: string, rate: number | null) {
  const times: number[] = []
  let [number, failed] = [0, 0]
  const one = async () => {
    number += 1
    const startedAt = performance.now()
    if ((await sender.send(eventOf(number - 1, start))) !== 200) failed += 1
    times.push(performance.now() - startedAt)
  }
  const begin = performance.now()
  const until = begin + seconds * 1_000
  if (rate === null) {
    const work = async () => {
      while (performance.now() < until) await one()
    }
    await Promise.all(Array.from({ length: connections }, work))
  } else {
    const open: Promise<void>[] = []
    while (performance.now() < until) {
      while (number < ((performance.now() - begin) / 1_000) * rate) open.push(one())
      await pause(2)
    }
    await Promise.all(open)
  }
  return { times, failed, perSecond: times.length / ((performance.now() - begin) / 1_000) }
}

/** What a list of another program takes, in milliseconds. */
export async function measureQuiet({ address }: Server, quietKey: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    const response = await fetch(`${address}/v1/affiliates`, { headers: headersOf(quietKey) })
    await response.text()
    if (!response.ok) throw new Error(`The quiet program got a ${response.status}.`)
    times.push(performance.now() - startedAt)
    await pause(20)
  }
  return times
}

export const during = (ms: number) => {
  const until = performance.now() + ms
  return () => performance.now() > until
}

export const quantile = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] as number

async function measureTaking(kind: keyof typeof goals, server: Server, { feedId, quietKey }: Programs): Promise<void> {
  await measureQuiet(server, quietKey, during(2_000))
  const alone = quantile(await measureQuiet(server, quietKey, during(seconds * 500)), 0.5)
  const sender = createSender(server, feedId)
  // The server's code is compiled before it is measured, and what was sent is derived.
  await sendFor(sender, `${kind}first_`, goals[kind])
  await pause(seconds * 1_000)
  for (const rate of [goals[kind], null]) {
    let isOver = false
    const cpuBefore = await processCpuMs(server.pid)
    const quiet = measureQuiet(server, quietKey, () => isOver)
    const { times, failed, perSecond } = await sendFor(sender, `${kind}${rate ?? 'all'}_`, rate)
    isOver = true
    const beside = quantile(await quiet, 0.5)
    const cpu = ((await processCpuMs(server.pid)) - cpuBefore) / times.length
    const [p50, p99] = [quantile(times, 0.5).toFixed(1), quantile(times, 0.99).toFixed(1)]
    console.log(
      `${kind}, ${rate === null ? 'as many as are answered' : `${rate} a second`}: ${perSecond.toFixed(0)} a second, ${failed} failed, ` +
        `p50 ${p50} ms, p99 ${p99} ms, CPU ${cpu.toFixed(2)} ms each with deriving; ` +
        `a list of another program ${(beside / alone).toFixed(1)} times its quiet p50 of ${alone.toFixed(1)} ms`,
    )
  }
  sender.close()
}

const rowsAtOnce = 1_000

/** Stores events as if they had been received, without a server. */
async function storeEvents(db: AppDb, { programId, feedId }: Programs, count: number): Promise<void> {
  const now = new Date()
  for (let first = 0; first < count; first += rowsAtOnce) {
    const data = Array.from({ length: Math.min(rowsAtOnce, count - first) }, (_, index) => {
      const event = eventOf(first + index, 'stored_') as { id: string; type: string }
      const fixed = { outcome: 'waiting' as const, reason: 'Not derived yet.', deriveAt: now, createdAt: now }
      return {
        programId,
        id: mintId(now),
        feedId,
        externalId: event.id,
        type: event.type,
        raw: JSON.stringify(event),
        ...fixed,
      }
    })
    await db.feedEvent.createMany({ data })
  }
}

/** Waits until nothing is due. */
async function measureDeriving(kind: string, server: Server, count: number, countDue: () => Promise<number>) {
  const startedAt = performance.now()
  const cpuBefore = await processCpuMs(server.pid)
  const first = await residentMbOf(server.pid)
  let most = first
  for (;;) {
    most = Math.max(most, await residentMbOf(server.pid))
    if ((await countDue()) === 0) break
    await pause(500)
  }
  const took = (performance.now() - startedAt) / 1_000
  const cpu = ((await processCpuMs(server.pid)) - cpuBefore) / count
  console.log(
    `${kind}, ${count} stored events: derived in ${took.toFixed(0)} s (${(count / took).toFixed(0)} a second), ` +
      `CPU ${cpu.toFixed(2)} ms each, memory ${first.toFixed(0)} MB at first, at most ${most.toFixed(0)} MB`,
  )
}

/** The number of events that are not derived yet, over GraphQL: the embedded database has one process. */
const waitingAt =
  ({ address }: Server, secretOfKey: string) =>
  async (): Promise<number> => {
    const query = '{ feedEvents(first: 1, where: { outcome: { equals: WAITING } }) { totalCount } }'
    const headers = { ...headersOf(secretOfKey), 'Content-Type': 'application/json' }
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    const { data } = (await response.json()) as { data: { feedEvents: { totalCount: number } } }
    return data.feedEvents.totalCount
  }

async function runOnPostgres(count: number): Promise<void> {
  const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
  try {
    const programs = await createPrograms(db)
    const { feedId } = programs
    const server = await servers.Tributary(databaseUrl, { WEBHOOK_KEY: webhookKey })
    await measureTaking('PostgreSQL', server, programs).finally(server.stop)
    await db.feedEvent.updateMany({ where: { feedId }, data: { deriveAt: null } })
    await storeEvents(db, programs, count)
    const due = () => db.feedEvent.count({ where: { feedId, deriveAt: { lte: new Date() } } })
    const again = await servers.Tributary(databaseUrl, { WEBHOOK_KEY: webhookKey })
    await measureDeriving('PostgreSQL', again, count, due).finally(again.stop)
  } finally {
    await drop()
  }
}

async function runOnEmbedded(count: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  try {
    const first = await openDatabase({ dataDir, log })
    const taking = await createPrograms(first.db).finally(first.close)
    const server = await startEmbedded(dataDir, { WEBHOOK_KEY: webhookKey })
    await measureTaking('embedded', server, taking).finally(server.stop)
    const second = await openDatabase({ dataDir, log })
    const deriving = await createPrograms(second.db)
    const selling = await createApiKey(operatorCtx(second.db), deriving.programId, { name: 'Bench' })
    await storeEvents(second.db, deriving, count).finally(second.close)
    const again = await startEmbedded(dataDir, { WEBHOOK_KEY: webhookKey })
    await measureDeriving('embedded', again, count, waitingAt(again, selling.secret)).finally(again.stop)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The embedded database derives a fifth. */
export async function run(count: number): Promise<void> {
  if (process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL) await runOnPostgres(count)
  await runOnEmbedded(Math.ceil(count / 5))
}
