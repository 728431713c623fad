import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withServer } from '../../test/support/global-setup.ts'
import { createReceiver } from '../../test/support/receiver.ts'
import { createEndpoint } from '../../test/support/webhooks.ts'
import { createMixedTraffic } from '../resilience/mixed-traffic.ts'
import {
  createProgramOn,
  diagnose,
  printLastLines,
  type Service,
  startService,
  stopService,
} from '../resilience/service.ts'
import { startBalancer } from './balancer.ts'
import { startPooler } from './pooler.ts'
import { createReplicated, type Node } from './replicated.ts'
import { judge, partsOf } from './soak-rules.ts'
import {
  cpuMsPerRequest,
  type Minute,
  minuteHead,
  minuteRow,
  ownCpuMs,
  readGauges,
  watchMinute,
} from './soak-samples.ts'
import { compareSales } from './stored-sales.ts'

export const summary =
  'Three instances behind HAProxy, PgBouncer, a primary and two replicas, with mixed load at half of their limit.'
export const unit = 'minutes'
export const defaultSize = 60
export const quickSize = 3

const instanceCount = 3
const connections = 12
const metricsToken = 'metrics-of-the-scale-scripts'

export async function run(minutes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-scale-'))
  const replicated = await createReplicated(3)
  const [primary, ...replicas] = replicated.nodes as [Node, Node, Node]
  const services: Service[] = []
  const receiver = await createReceiver()
  let pooler: Awaited<ReturnType<typeof startPooler>> | undefined
  let balancer: Awaited<ReturnType<typeof startBalancer>> | undefined
  try {
    pooler = await startPooler(primary.url)
    const env = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: primary.url,
      DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(','),
      DATA_DIR: join(folder, 'data'),
      METRICS_TOKEN: metricsToken,
      TRUSTED_PROXIES: '1',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    }
    for (let n = 0; n < instanceCount; n += 1) services.push(await startService(env))
    balancer = await startBalancer(
      folder,
      services.map((service) => service.address),
    )
    const { address } = balancer
    const program = await createProgramOn(() => address)
    const deliveries = watchDeliveries(receiver)
    const eventsBefore = await readIds(primary.url, program.id, 'events')
    await createEndpoint(program, receiver.url)
    const traffic = await createMixedTraffic(address, program)
    const watched = {
      services,
      nodes: replicated.nodes,
      proxies: [pooler.pid, balancer.pid],
      metricsToken,
      take: traffic.take,
      takeDelays: deliveries.take,
    }

    const measureSeconds = Math.min(60, minutes * 20)
    await traffic.closedLoop(connections, measureSeconds / 6)
    const [cpuBefore, startedAt] = [await ownCpuMs(watched), performance.now()]
    const limit = await traffic.closedLoop(connections, measureSeconds)
    const cores = ((await ownCpuMs(watched)) - cpuBefore) / (performance.now() - startedAt)
    const failedBefore = traffic.take().failures
    const most = Number(process.env.SOAK_CORES ?? Number.POSITIVE_INFINITY) / (cores / limit)
    const rate = Math.min(limit / 2, most)
    console.log(
      `PgBouncer ${pooler.version}. The limit: ${limit.toFixed(0)} requests a second over ${connections} connections, with ${cores.toFixed(2)} cores. Load from now on: ${rate.toFixed(0)} a second.`,
    )
    await waitForWebhooks(watched)
    deliveries.take()

    console.log(minuteHead)
    const stop = traffic.openLoop(rate)
    const seen: Minute[] = []
    for (let n = 1; n <= minutes; n += 1) {
      const minute = await watchMinute(watched)
      seen.push(minute)
      console.log(minuteRow(n, minute))
      for (const failure of new Set(minute.failures)) console.log(`  failed: ${failure}`)
    }
    await stop()
    await waitForWebhooks(watched)

    const { stored, lost, doubled } = await compareSales(primary.url, program.id, traffic.acknowledged)
    const refunds = await readIds(primary.url, program.id, 'refunds')
    const events = await readIds(primary.url, program.id, 'events')
    const rules = judge(seen, {
      'requests that failed before': failedBefore.length,
      'acknowledged sales that were lost': lost.length,
      'sales that were doubled or without their commission': doubled.length,
      'acknowledged refunds that were lost': countMissing(traffic.refunded, refunds),
      'events that no webhook told': countMissing(events, deliveries.ids, eventsBefore),
      'findings of the doctor': await diagnose(address),
      'processes that ended': services.filter((service) => service.process.exitCode !== null).length,
    })
    console.log(
      `\n${traffic.acknowledged.size} sales acknowledged, ${stored.size} stored; ${traffic.refunded.size} refunds; ${deliveries.ids.size} events told by webhooks`,
    )
    const unavailable = seen.reduce((sum, minute) => sum + minute.unavailable, 0)
    console.log(`503 with Retry-After, repeated: ${unavailable}`)
    const costs = partsOf(seen).map((part) => `${cpuMsPerRequest(part).toFixed(1)}`)
    console.log(`CPU of all parts and of the load for each request, ms: ${costs.join(', ')}`)
    for (const { text, holds } of rules) console.log(`${holds ? 'holds' : 'FAILS'}: ${text}`)
    if (rules.some(({ holds }) => !holds)) {
      process.exitCode = 1
      printLastLines(services)
    }
  } finally {
    await balancer?.stop()
    await Promise.all(services.map(stopService))
    await receiver.close()
    await pooler?.stop()
    replicated.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** How late the webhooks come, and the ids of their events. */
function watchDeliveries(receiver: Awaited<ReturnType<typeof createReceiver>>) {
  const ids = new Set<string>()
  let delays: number[] = []
  receiver.answerWith(({ headers, body }) => {
    ids.add(String(headers['webhook-id']))
    delays.push((Date.now() - Date.parse(JSON.parse(body).timestamp)) / 1_000)
    receiver.clear()
    return {}
  })
  return {
    ids,
    take: () => {
      const taken = delays
      delays = []
      return taken
    },
  }
}

/** Waits until no event waits for its endpoint. */
async function waitForWebhooks(watched: Parameters<typeof readGauges>[0]): Promise<void> {
  const until = performance.now() + 120_000
  while ((await readGauges(watched)).deliveryLag > 0 && performance.now() < until) await pause(1_000)
}

async function readIds(url: string, programId: string, table: 'refunds' | 'events'): Promise<Set<string>> {
  const name = table === 'refunds' ? 'external_id' : 'id'
  const { rows } = await withServer(url, (client) =>
    client.query<{ id: string }>(`select ${name}::text as id from ${table} where program_id = $1`, [programId]),
  )
  return new Set(rows.map(({ id }) => id))
}

/** How many of the ids are in no set. */
const countMissing = (ids: Iterable<string>, ...sets: ReadonlySet<string>[]) =>
  [...ids].filter((id) => !sets.some((set) => set.has(id))).length
