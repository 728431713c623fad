import { fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../src/database/open.ts'
import type { Program } from '../src/generated/prisma/client.ts'
import type { ProgramCtx } from '../src/kernel/context.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createAffiliateCoupon } from '../src/modules/affiliates/coupons/service.ts'
import { createAffiliate } from '../src/modules/affiliates/create.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { reportConversion } from '../src/modules/sales/report-sale.ts'
import { replayEvents } from '../src/modules/webhooks/deliveries.ts'
import { createWebhookEndpoint } from '../src/modules/webhooks/endpoints.ts'
import { createTargets } from '../src/modules/webhooks/targets.ts'
import { createWebhookWorker } from '../src/modules/webhooks/worker.ts'
import { createApp } from '../src/server/app.ts'
import { cpuBetween, readBackends } from './cpu.ts'
import { createPostgresBenchDatabase, log, operatorCtx, withClient } from './database.ts'
import { median } from './measure.ts'

export const summary = 'CPU of a sale without events, with events and with a webhook; and of deliveries.'
export const unit = 'sales of a round'
export const defaultSize = 40

const rounds = 25
const lanes = 4
const key = Buffer.alloc(32, 1)
const targets = createTargets({ allowedHosts: ['127.0.0.1'], allowHttp: true })

type Sale = { coupon: string; email: string; amountCents: number; externalId: string }
type Report = (ctx: ProgramCtx, sale: Sale) => Promise<unknown>
const reportDirectly: Report = reportConversion

/** A connection on which `record_events` does nothing: what the whole request costs without events. */
const withoutEvents = `
  create schema without_events;
  create function without_events.record_events(given jsonb) returns integer language sql as 'select 0'`

/** Rounds without events, with them and with an endpoint alternate, so that noise of the machine is in all of them. */
export async function run(sales: number): Promise<void> {
  const recording = await createPostgresBenchDatabase()
  const { db, databaseUrl, drop } = recording
  const database = new URL(databaseUrl).pathname.slice(1)
  const serverUrl = Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href
  const receiver = fork(fileURLToPath(new URL('peers/receiver.mjs', import.meta.url)))
  const ctx = operatorCtx(db)
  await withClient(databaseUrl, (client) => client.query(withoutEvents))
  const silentUrl = Object.assign(new URL(databaseUrl), { search: '?options=-c search_path=without_events,public' })
  // An app of its own for each program, because one that serves several programs at once lets slow ones wait.
  const served = await Promise.all(
    [silentUrl.href, databaseUrl, databaseUrl].map((url) => openDatabase({ dataDir: tmpdir(), databaseUrl: url, log })),
  )
  try {
    const [port] = await once(receiver, 'message')
    const secrets = new Map<string, string>()
    const makeProgram = async () => {
      const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
      secrets.set(program.id, (await createApiKey(ctx, program.id, { name: 'Bench' })).secret)
      for (let lane = 0; lane < lanes; lane += 1) {
        const { id } = await createAffiliate({ ...ctx, program }, { email: `a${lane}@example.com` })
        await createAffiliateCoupon({ ...ctx, program }, { affiliateId: id, token: `ADA${lane}` })
      }
      return program
    }
    const [without, having, sending] = [await makeProgram(), await makeProgram(), await makeProgram()]
    const { webhookEndpoint: endpoint } = await createWebhookEndpoint(
      { ...ctx, program: sending },
      { key, targets },
      { url: `http://127.0.0.1:${port}/` },
    )

    await withClient(serverUrl, async (observer) => {
      /** Milliseconds of CPU for each of `count`, of this process and of PostgreSQL. */
      const measure = async (count: number, work: () => Promise<void>) => {
        const backends = await readBackends(observer, database)
        const before = process.cpuUsage()
        await work()
        const { user, system } = process.cpuUsage(before)
        const databaseMs = cpuBetween(backends, await readBackends(observer, database))
        return { node: (user + system) / 1000 / count, postgres: databaseMs / count }
      }
      type Cpu = Awaited<ReturnType<typeof measure>>
      const apps = served.map((database) => createApp({ database, adminToken: 'operator', publicUrl: () => '', log }))
      const [silentRequest, request, sendingRequest] = apps.map(
        (app): Report =>
          async ({ program }, sale) => {
            const { coupon, email, amountCents, externalId } = sale
            const body = JSON.stringify({ coupon, email, amount_cents: amountCents, external_id: externalId })
            const headers = { Authorization: `Bearer ${secrets.get(program.id)}`, 'Content-Type': 'application/json' }
            const response = await app.fetch(
              new Request('http://localhost/v1/conversions', { method: 'POST', headers, body }),
            )
            if (response.status !== 201) throw new Error(await response.text())
            await response.arrayBuffer()
          },
      ) as [Report, Report, Report]
      let n = 0
      const sell = (program: Program, email: (n: number) => string, isSilent = false, report = reportDirectly) =>
        measure(sales, async () => {
          const lane = async (index: number) => {
            for (let count = 0; count < sales / lanes; count += 1) {
              n += 1
              const sale = { coupon: `ADA${index}`, email: email(n), amountCents: 1000, externalId: `e${n}` }
              await report({ ...ctx, program, isSilent }, sale)
            }
          }
          await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
        })
      const ofKind = {
        'a sale to a known customer': (n: number) => `b${n % 40}@example.com`,
        'a first sale by coupon': (n: number) => `c${n}@example.com`,
      }
      console.log(
        `CPU in ms, node + PostgreSQL; medians of ${rounds} rounds of ${sales} sales, ${lanes} at once; times are to the same round without`,
      )
      for (const [kind, email] of Object.entries(ofKind)) {
        const found: Record<string, { run: () => Promise<Cpu>; costs: Cpu[]; base?: string }> = {
          'the verb, without events': { run: () => sell(without, email, true), costs: [] },
          'the verb, with events': { run: () => sell(having, email), costs: [], base: 'the verb, without events' },
          'the verb, with an endpoint': {
            run: () => sell(sending, email),
            costs: [],
            base: 'the verb, without events',
          },
          'POST /v1/conversions, without events': { run: () => sell(without, email, false, silentRequest), costs: [] },
          'POST /v1/conversions, with events': {
            run: () => sell(having, email, false, request),
            costs: [],
            base: 'POST /v1/conversions, without events',
          },
          'POST /v1/conversions, with an endpoint': {
            run: () => sell(sending, email, false, sendingRequest),
            costs: [],
            base: 'POST /v1/conversions, without events',
          },
        }
        for (let round = -1; round < rounds; round += 1) {
          // As autovacuum does before long: without statistics, plans are made for empty tables.
          if (round === 0) await db.$executeRaw`analyze`
          for (const { run, costs } of Object.values(found)) {
            const cost = await run()
            if (round >= 0) costs.push(cost)
          }
        }
        const total = ({ node, postgres }: Cpu) => node + postgres
        for (const [what, { costs, base: without }] of Object.entries(found)) {
          const [node, postgres] = [median(costs.map((cost) => cost.node)), median(costs.map((cost) => cost.postgres))]
          // Of the same round, because the machine is not equally fast all the time.
          const base = found[without ?? what]?.costs ?? []
          const ratio = median(costs.map((cost, round) => total(cost) / total(base[round] as Cpu))).toFixed(3)
          console.log(`  ${kind}, ${what}: ${node.toFixed(3)} + ${postgres.toFixed(3)}, ${ratio} times`)
        }
      }
      const worker = createWebhookWorker({ db, log, now: () => new Date(), key, targets })
      await worker.runOnce()
      const speeds: { perSecond: number; node: number; postgres: number }[] = []
      for (let round = 0; round < 3; round += 1) {
        await replayEvents({ ...ctx, program: sending }, endpoint.id, {})
        const count = await db.webhookDelivery.count({ where: { state: 'pending' } })
        const startedAt = performance.now()
        const cpu = await measure(count, () => worker.runOnce())
        speeds.push({ perSecond: count / ((performance.now() - startedAt) / 1000), ...cpu })
      }
      const failed = await db.webhookDelivery.count({ where: { state: { not: 'succeeded' } } })
      if (failed > 0) throw new Error(`${failed} deliveries failed.`)
      for (const { perSecond, node, postgres } of speeds.toSorted((a, b) => a.perSecond - b.perSecond))
        console.log(`  deliveries: ${Math.round(perSecond)}/s, ${node.toFixed(3)} + ${postgres.toFixed(3)}`)
      await worker.stop()
      for (const app of apps) app.stop()
    })
  } finally {
    receiver.kill()
    await Promise.all(served.map((database) => database.close()))
    await drop()
  }
}
