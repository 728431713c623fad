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

const rounds = 41
const key = Buffer.alloc(32, 1)
// Nothing listens there: a refused connection costs the same for each size of the log.
const url = 'http://127.0.0.1:9/'

/** Copies of one event, each of a subject of its own, a second before the other. They share the state. */
const filling = `
  insert into events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, actor_kind, request_id, state_id, created_at)
  select program_id, event_id(created_at - n * interval '1 second', n), type, subject, gen_random_uuid(), n, affiliate_id,
    campaign_id, actor_kind, request_id, state_id, created_at - n * interval '1 second'
  from generate_series(1, $1::int) n, (select * from events where type = 'commission.created' limit 1) e`

export async function run(size: number): Promise<void> {
  const { db, ping, databaseUrl, drop } = await createPostgresBenchDatabase()
  try {
    const ctx = operatorCtx(db)
    const app = createApp({ database: { db, ping }, adminToken: 'operator', publicUrl: () => '', log })
    const targets = createTargets({ allowedHosts: ['127.0.0.1'], allowHttp: true })
    const worker = createWebhookWorker({ db, log, now: () => new Date(), key, targets })
    const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
    const scope = { ...ctx, program }
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
      const { data } = (await response.json()) as { data: { events: { totalCount: number } } }
      return data.events
    }
    const { webhookEndpoint } = await createWebhookEndpoint(
      scope,
      { key, targets },
      { url, eventTypes: ['sale.created'] },
    )
    const work: Record<string, () => Promise<unknown>> = {
      'a page of 25 with the total': () => query('(first: 25) { totalCount nodes { id type data } }'),
      'a page of one type': () => query('(first: 25, where: { type: { equals: "sale.created" } }) { nodes { id } }'),
      'a sale with an endpoint': sell,
      'a sale and its delivery': async () => {
        await sell()
        await worker.runOnce()
        await db.webhookEndpoint.update({
          where: { programId_id: { programId: program.id, id: webhookEndpoint.id } },
          data: { failingSince: null },
        })
      },
    }
    for (const events of [10_000, size]) {
      const missing = events - (await query('{ totalCount }')).totalCount
      // Without the time limits of the service.
      await withClient(databaseUrl, async (client) => {
        await client.query(filling, [missing])
        await client.query('select list_counts_rebuild()')
        await client.query('vacuum analyze')
      })
      console.log(`${(await query('{ totalCount }')).totalCount} events, medians of ${rounds}`)
      for (const [what, run] of Object.entries(work)) {
        const times: number[] = []
        for (let round = -5; round < rounds; round += 1) {
          const startedAt = performance.now()
          await run()
          if (round >= 0) times.push(performance.now() - startedAt)
        }
        console.log(`  ${what}: ${median(times).toFixed(2)} ms`)
      }
    }
    app.stop()
    await worker.stop()
  } finally {
    await drop()
  }
}
