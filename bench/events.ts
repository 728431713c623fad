import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Program } from '../src/generated/prisma/client.ts'
import type { ProgramCtx } from '../src/kernel/context.ts'
import { createAffiliateCoupon } from '../src/modules/affiliates/coupons/service.ts'
import { createAffiliate } from '../src/modules/affiliates/create.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { reportConversion } from '../src/modules/sales/report/service.ts'
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

/** Rounds without events, with them and with an endpoint alternate, so that noise of the machine is in all of them. */
export async function run(sales: number): Promise<void> {
  const { db, ping, databaseUrl, drop } = await createPostgresBenchDatabase()
  const database = new URL(databaseUrl).pathname.slice(1)
  const serverUrl = Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href
  const receiver = fork(fileURLToPath(new URL('peers/receiver.mjs', import.meta.url)))
  const ctx = operatorCtx(db)
  try {
    const [port] = await once(receiver, 'message')
    const makeProgram = async () => {
      const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
      for (let lane = 0; lane < lanes; lane += 1) {
        const { id } = await createAffiliate({ ...ctx, program }, { email: `a${lane}@example.com` })
        await createAffiliateCoupon({ ...ctx, program }, { affiliateId: id, token: `ADA${lane}` })
      }
      return program
    }
    const [without, having, sending] = [await makeProgram(), await makeProgram(), await makeProgram()]
    await createWebhookEndpoint({ ...ctx, program: sending }, { key, targets }, { url: `http://127.0.0.1:${port}/` })

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
      const app = createApp({ database: { db, ping }, adminToken: 'operator', publicUrl: () => '', log })
      const request: Report = async ({ program }, { coupon, email, amountCents, externalId }) => {
        const input = `coupon: "${coupon}", email: "${email}", amountCents: ${amountCents}, externalId: "${externalId}"`
        const query = `mutation { reportConversion(input: { ${input} }) { duplicate sale { id } commission { id } } }`
        const headers = {
          Authorization: 'Bearer operator',
          'X-Program-Id': program.id,
          'Content-Type': 'application/json',
        }
        const post = { method: 'POST', headers, body: JSON.stringify({ query }) }
        const response = await app.fetch(new Request('http://localhost/graphql', post))
        const { errors } = (await response.json()) as { errors?: unknown }
        if (errors) throw new Error(JSON.stringify(errors))
      }
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
        const silently = () => sell(without, email, true)
        const found: Record<string, { run: () => Promise<Cpu>; costs: Cpu[] }> = {
          'without events': { run: silently, costs: [] },
          'with events': { run: () => sell(having, email), costs: [] },
          'with an endpoint': { run: () => sell(sending, email), costs: [] },
          'with events, the whole request': { run: () => sell(having, email, false, request), costs: [] },
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
        const base = found['without events']?.costs ?? []
        for (const [what, { costs }] of Object.entries(found)) {
          const [node, postgres] = [median(costs.map((cost) => cost.node)), median(costs.map((cost) => cost.postgres))]
          // Of the same round, because the machine is not equally fast all the time.
          const ratio = median(costs.map((cost, round) => total(cost) / total(base[round] as Cpu))).toFixed(3)
          console.log(`  ${kind}, ${what}: ${node.toFixed(3)} + ${postgres.toFixed(3)}, ${ratio} times`)
        }
      }
      const count = await db.event.count({ where: { programId: sending.id } })
      const worker = createWebhookWorker({ db, log, now: () => new Date(), key, targets })
      const startedAt = performance.now()
      const { node, postgres } = await measure(count, () => worker.runOnce())
      const seconds = (performance.now() - startedAt) / 1000
      const received = await db.webhookDelivery.count({ where: { state: 'succeeded' } })
      console.log(
        `  ${received} deliveries in ${seconds.toFixed(1)} s: ${Math.round(received / seconds)}/s, ${node.toFixed(3)} + ${postgres.toFixed(3)}`,
      )
      await worker.stop()
    })
  } finally {
    receiver.kill()
    await drop()
  }
}
