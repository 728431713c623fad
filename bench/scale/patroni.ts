import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSeller } from '../../test/support/factories.ts'
import { createProgramOn, type Service, send, startService, stopService } from '../resilience/service.ts'
import { createPatroniCluster, type PatroniCluster, type PatroniNode, timings } from './patroni-cluster.ts'
import { startTraffic } from './sale-traffic.ts'
import { judge, list, seconds } from './verdict.ts'

export const summary =
  'Patroni with etcd in synchronous mode: a switchover, a killed and a frozen primary, and a stop of etcd under load; no sale is lost.'
export const unit = 'failovers'
export const defaultSize = 4
export const quickSize = 1

const nodeCount = 3
/** How long an old primary that was thawed is left alone with the service. */
const staleMs = 4_000
/** How long no server accepts writes while etcd is away. */
const readOnlyMs = 10_000
/** What the service may take longer than the failover itself. */
const allowedMs = 10_000

type Place = { cluster: PatroniCluster; primary: PatroniNode; standbys: PatroniNode[] }
type Turn = { beganAt: number; acceptedAt: number; primary: PatroniNode }

const now = () => performance.now()

/** Waits for the new primary. */
async function follow(cluster: PatroniCluster, among?: readonly PatroniNode[]): Promise<Turn> {
  const beganAt = now()
  const primary = await cluster.waitForPrimary(among)
  return { beganAt, acceptedAt: now(), primary }
}

const faults: Record<string, (place: Place) => Promise<Turn>> = {
  'patronictl switchover': async ({ cluster, standbys }) => {
    const [turn] = await Promise.all([follow(cluster, standbys), cluster.switchOver()])
    return turn
  },
  'killed (-9), Patroni too': async ({ cluster, primary, standbys }) => {
    primary.kill()
    const turn = await follow(cluster, standbys)
    primary.start()
    return turn
  },
  'frozen, Patroni too, thawed later': async ({ cluster, primary, standbys }) => {
    primary.freeze()
    const turn = await follow(cluster, standbys)
    await pause(staleMs)
    primary.thaw()
    await pause(staleMs)
    return turn
  },
  'etcd stopped, later back': async ({ cluster, primary }) => {
    const stoppedAt = now()
    cluster.etcd.kill()
    await cluster.waitForReadOnly(primary)
    console.error(`Without etcd, Patroni made the primary read-only after ${seconds(now() - stoppedAt)}.`)
    await pause(readOnlyMs)
    for (const node of cluster.nodes)
      if (await node.acceptsWrites()) throw new Error(`${node.name} accepts writes without etcd`)
    cluster.etcd.start()
    return follow(cluster)
  },
}

export async function run(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-scale-'))
  const services: Service[] = []
  let cluster: PatroniCluster | undefined
  try {
    cluster = await createPatroniCluster(nodeCount)
    const env = { DATABASE_URL: cluster.url, DATA_DIR: join(folder, 'data') }
    for (let n = 0; n < 2; n += 1) services.push(await startService(env))
    const addresses = services.map(({ address }) => address) as [string, string]
    const program = await createProgramOn(() => addresses[0])
    const { coupon } = await createSeller(program)
    const traffic = startTraffic(addresses, program.secret, coupon)
    const reads = startReads(addresses[1], program.secret)
    await pause(2_000)
    let primary = await cluster.waitUntilHealthy()
    let isGood = true
    console.log(
      `${nodeCount} servers with Patroni (${Object.entries(timings)
        .map((pair) => pair.join(' '))
        .join(', ')}), synchronous mode; two instances, sales one after another by four clients.`,
    )
    console.log(
      '| failover | engine | beyond the engine | 503 with Retry-After | UNAVAILABLE in GraphQL | other failures | sales | old answers | reads | slowest read | load |',
    )
    console.log('|---|---|---|---|---|---|---|---|---|---|---|')
    for (let n = 0; n < count; n += 1) {
      const [name, fail] = Object.entries(faults)[n % Object.keys(faults).length] as [string, (typeof faults)[string]]
      traffic.begin()
      reads.begin()
      const standbys = cluster.nodes.filter((node) => node !== primary)
      const { beganAt, acceptedAt, primary: next } = await fail({ cluster, primary, standbys })
      const firstAt = await traffic.firstSaleAfter(acceptedAt, allowedMs * 3)
      // Traffic goes on while the other servers follow the new primary.
      primary = await cluster.waitUntilHealthy()
      if (primary !== next) throw new Error(`The primary is ${primary.name}, not ${next.name}: a further failover`)
      await pause(500)
      const seen = traffic.end()
      const read = reads.end()
      const others = [...seen.others, ...read.others]
      isGood &&= firstAt - acceptedAt <= allowedMs && others.length === 0 && seen.oldAnswers.length === 0
      console.log(
        `| ${name} | ${seconds(acceptedAt - beganAt)} | ${seconds(firstAt - acceptedAt)} | ${seen.unavailable} | ${seen.failedFields} | ${list(others)} | ${seen.sales} | ${list(seen.oldAnswers)} | ${read.answered}, and ${read.unavailable} × 503 | ${seconds(read.slowestMs)} | ${loadavg()[0]?.toFixed(1)} |`,
      )
    }
    await reads.stop()
    const { acknowledged } = await traffic.stop()
    await judge({ services, url: primary.url, programId: program.id, acknowledged, isGood })
  } finally {
    await Promise.all(services.map(stopService))
    cluster?.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A client that only reads, whether or not sales succeed. */
function startReads(address: string, secret: string) {
  const nothing = () => ({ answered: 0, unavailable: 0, slowestMs: 0, others: [] as string[] })
  let seen = nothing()
  let isOver = false
  const read = async (): Promise<void> => {
    while (!isOver) {
      const askedAt = now()
      const answer = await send(address, secret, 'GET', '/v1/affiliates?limit=1').catch((error: Error) => error)
      seen.slowestMs = Math.max(seen.slowestMs, now() - askedAt)
      if (answer instanceof Error) seen.others.push(`GET ${answer.message}`)
      else if (answer.status === 200) seen.answered += 1
      else if (answer.status === 503 && answer.retryAfter !== undefined) seen.unavailable += 1
      else seen.others.push(`GET ${answer.status} ${answer.body.slice(0, 200)}`)
      await pause(200)
    }
  }
  const reading = read()
  return {
    begin: () => {
      seen = nothing()
    },
    end: () => seen,
    stop: () => {
      isOver = true
      return reading
    },
  }
}
