import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createAffiliateCoupon } from '../src/modules/affiliates/coupons/service.ts'
import { createAffiliate } from '../src/modules/affiliates/create.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { reportConversion } from '../src/modules/sales/report/service.ts'
import { createWebhookEndpoint } from '../src/modules/webhooks/endpoints.ts'
import { createTargets } from '../src/modules/webhooks/targets.ts'
import { createWebhookWorker } from '../src/modules/webhooks/worker.ts'
import { createApp } from '../src/server/app.ts'
import { createPostgresBenchDatabase, log, operatorCtx, withClient } from './database.ts'
import { median } from './measure.ts'

export const summary = 'A page of events, a delivery and a sale, with 10,000 events in the log and with many.'
export const unit = 'events'
export const defaultSize = 1_000_000

const rounds = 61
/** Before the rounds that count: plans, caches and compiled code are those of a server that has run for a while. */
const warmUpRounds = 20
const key = Buffer.alloc(32, 1)

/** Copies of the events, each of a subject of its own, a second before the other. They share the states. */
const filling = `
  insert into events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, actor_kind, request_id, state_id, created_at)
  select program_id, event_id(created_at - n * interval '1 second', n), type, subject, gen_random_uuid(), n, affiliate_id,
    campaign_id, actor_kind, request_id, state_id, created_at - n * interval '1 second'
  from generate_series(1, $1::int) n
    join (select *, row_number() over () - 1 as place, count(*) over () as total from events) e on place = n % total`

type Log = { work: Record<string, () => Promise<unknown>>; close(): Promise<void> }

/** Both logs are measured in turn, so that noise of the machine is in both. */
export async function run(size: number): Promise<void> {
  const receiver = fork(fileURLToPath(new URL('peers/receiver.mjs', import.meta.url)))
  const logs: Log[] = []
  try {
    const [port] = await once(receiver, 'message')
    const url = `http://127.0.0.1:${port}/`
    for (const events of [10_000, size]) logs.push(await createLog(events, url))
    const [small, large] = logs as [Log, Log]
    console.log(`Medians of ${rounds} calls in ms: with 10000 events, with ${size}, and the median ratio of a pair`)
    for (const what of Object.keys(small.work)) {
      const pairs: [number, number][] = []
      for (let round = -warmUpRounds; round < rounds; round += 1) {
        const pair = [await timed(small.work[what]), await timed(large.work[what])] as [number, number]
        if (round >= 0) pairs.push(pair)
      }
      const medians = [0, 1].map((index) => median(pairs.map((pair) => pair[index] as number)).toFixed(2))
      console.log(`  ${what}: ${medians.join(', ')}, ${median(pairs.map(([a, b]) => b / a)).toFixed(2)}`)
    }
  } finally {
    for (const { close } of logs) await close()
    receiver.kill()
  }
}

async function timed(work: (() => Promise<unknown>) | undefined): Promise<number> {
  const startedAt = performance.now()
  await work?.()
  return performance.now() - startedAt
}

/** A database with so many events, and what is measured on it. */
async function createLog(events: number, url: string): Promise<Log> {
  const { db, ping, databaseUrl, drop } = await createPostgresBenchDatabase()
  const ctx = operatorCtx(db)
  const app = createApp({ database: { db, ping }, adminToken: 'operator', publicUrl: () => '', log })
  const targets = createTargets({ allowedHosts: ['127.0.0.1'], allowHttp: true })
  const worker = createWebhookWorker({ db, log, now: () => new Date(), key, targets })
  const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const scope = { ...ctx, program }
  const { secret } = await createApiKey(ctx, program.id, { name: 'Bench' })
  const { id: affiliateId } = await createAffiliate(scope, { email: 'ada@example.com' })
  await createAffiliateCoupon(scope, { affiliateId, token: 'ADA' })
  let n = 0
  const sell = () => {
    n += 1
    const sale = { coupon: 'ADA', email: 'b@example.com', amountCents: 1000, externalId: `e${n}` }
    return reportConversion(scope, sale)
  }
  await sell()
  const query = async (fields: string) => {
    const headers = {
      Authorization: 'Bearer operator',
      'X-Program-Id': program.id,
      'Content-Type': 'application/json',
    }
    const body = JSON.stringify({ query: `{ events${fields} }` })
    const response = await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))
    const { data, errors } = (await response.json()) as {
      data: { events: { totalCount: number; edges: { cursor: string }[] } }
      errors?: unknown
    }
    if (errors) throw new Error(JSON.stringify(errors))
    return data.events
  }
  const read = async (path: string) => {
    const headers = { Authorization: `Bearer ${secret}` }
    const response = await app.fetch(new Request(`http://localhost/v1/events?${path}`, { headers }))
    if (response.status !== 200) throw new Error(await response.text())
    return response.text()
  }
  await createWebhookEndpoint(scope, { key, targets }, { url, eventTypes: ['sale.created'] })
  let middle = { page: 0, cursor: '' }
  const work: Record<string, () => Promise<unknown>> = {
    'a page of 25 with the total': () => query('(first: 25) { totalCount nodes { id type data } }'),
    'a page of one type': () => query('(first: 25, where: { type: { equals: "sale.created" } }) { nodes { id } }'),
    'a page in the middle by cursor': () => query(`(first: 25, after: "${middle.cursor}") { nodes { id type data } }`),
    'GET /v1/events, the first page': () => read('limit=25'),
    'GET /v1/events, a page in the middle': () => read(`limit=25&page=${middle.page}`),
    'a sale with an endpoint': sell,
    'a sale and its delivery, which succeeds': async () => {
      await sell()
      await worker.runOnce()
    },
  }
  /** The cursor of the event that so many newer ones are before. */
  const cursorAt = async (offset: number) => {
    const [event] = await db.event.findMany({
      where: { programId: program.id },
      orderBy: { id: 'desc' },
      skip: offset,
      take: 1,
    })
    const { edges } = await query(`(first: 1, where: { id: { equals: "${event?.id}" } }) { edges { cursor } }`)
    return edges[0]?.cursor ?? ''
  }
  const missing = events - (await query('{ totalCount }')).totalCount
  // Without the time limits of the service.
  await withClient(databaseUrl, async (client) => {
    await client.query(filling, [missing])
    await client.query('select list_counts_rebuild()')
    await client.query('vacuum analyze')
  })
  middle = { page: Math.round(events / 50), cursor: await cursorAt(Math.round(events / 2)) }
  await worker.runOnce()
  const close = async () => {
    app.stop()
    await worker.stop()
    await drop()
  }
  return { work, close }
}
