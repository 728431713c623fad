import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSeller } from '../../test/support/factories.ts'
import { createProgramOn, type Service, startService, stopService } from '../resilience/service.ts'
import { createReplicated, type Node } from './replicated.ts'
import { startTraffic, type Traffic } from './sale-traffic.ts'
import { judge, list, seconds } from './verdict.ts'

export const summary =
  'A primary and a synchronous standby: the primary is killed, frozen, stopped, demoted and cut off under load; no sale is lost.'
export const unit = 'failovers'
export const defaultSize = 10
export const quickSize = 2

/** How long the script that stands for an engine of failovers watches a primary before it promotes the standby. */
const noticeMs = 2_500
/** How long an old primary that still runs is left alone with the service. */
const staleMs = 4_000
/** What the service may take longer than the failover itself. */
const allowedMs = 10_000

type Place = { primary: Node; standby: Node; traffic: Traffic }
/** Fails over, and calls back as soon as the standby accepts writes. Leaves the old primary as it may be then. */
type Failover = (place: Place, promoted: () => void) => Promise<void>

const failovers: Record<string, Failover> = {
  'killed (-9)': async ({ primary, standby }, promoted) => {
    await primary.killPostmaster()
    await pause(noticeMs)
    standby.promote()
    promoted()
  },
  'frozen, thawed later': async ({ primary, standby }, promoted) => {
    primary.freeze()
    await pause(noticeMs)
    standby.promote()
    promoted()
    await pause(staleMs)
    primary.thaw()
    await pause(staleMs)
  },
  'cut off, still running': async ({ primary, standby }, promoted) => {
    // Commits wait for a standby that does not hear of them, and never happen on it.
    standby.stop('fast')
    await pause(noticeMs)
    standby.forgetPrimary()
    standby.start()
    standby.promote()
    promoted()
    await pause(staleMs)
    await primary.query('select 1')
  },
  'stopped (fast)': async ({ primary, standby }, promoted) => {
    primary.stop('fast')
    await pause(noticeMs)
    standby.promote()
    promoted()
  },
  'demoted (switchover)': async ({ primary, standby }, promoted) => {
    primary.stop('fast')
    standby.promote()
    promoted()
    primary.follow(standby)
    primary.start()
  },
  'frozen while no request comes': async ({ primary, standby, traffic }, promoted) => {
    await traffic.hold()
    primary.freeze()
    await pause(noticeMs)
    standby.promote()
    promoted()
    primary.thaw()
    // What was asked of it before it froze it answers now.
    await pause(1_000)
    traffic.resume()
    await pause(staleMs)
  },
}

export async function run(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-scale-'))
  const replicated = await createReplicated(2)
  let [primary, standby] = replicated.nodes as [Node, Node]
  const services: Service[] = []
  try {
    // The standby answers reads too. The other server is left out for as long as it is the primary.
    const replicas = replicated.nodes.map(({ url }) => url).join(',')
    const env = { DATABASE_URL: replicated.url, DATABASE_REPLICA_URLS: replicas, DATA_DIR: join(folder, 'data') }
    for (let n = 0; n < 2; n += 1) services.push(await startService(env))
    await primary.requireStandby(standby)
    const addresses = services.map(({ address }) => address) as [string, string]
    const program = await createProgramOn(() => addresses[0])
    const { coupon } = await createSeller(program)
    const traffic = startTraffic(addresses, program.secret, coupon)
    await pause(2_000)
    let isGood = true
    console.log(
      `One ${standby.name} in synchronous replication, two instances, sales one after another by four clients.`,
    )
    console.log(
      '| failover | engine | first sale after | beyond the engine | 503 with Retry-After | UNAVAILABLE in GraphQL | other failures | sales | old answers |',
    )
    console.log('|---|---|---|---|---|---|---|---|---|')
    for (let n = 0; n < count; n += 1) {
      const [name, failOver] = Object.entries(failovers)[n % Object.keys(failovers).length] as [string, Failover]
      traffic.begin()
      const beganAt = performance.now()
      let promotedAt = Number.NaN
      await failOver({ primary, standby, traffic }, () => {
        promotedAt = performance.now()
      })
      // The traffic has to succeed again; this ends by the limit below.
      const firstAt = await traffic.firstSaleAfter(promotedAt, allowedMs * 3)
      await pause(500)
      const seen = traffic.end()
      const beyondMs = firstAt - promotedAt
      const isFine = beyondMs <= allowedMs && seen.others.length === 0 && seen.oldAnswers.length === 0
      isGood &&= isFine
      console.log(
        `| ${name} | ${seconds(promotedAt - beganAt)} | ${seconds(firstAt - beganAt)} | ${seconds(beyondMs)} | ${seen.unavailable} | ${seen.failedFields} | ${list(seen.others)} | ${seen.sales} | ${list(seen.oldAnswers)} |`,
      )
      ;[primary, standby] = [standby, primary]
      if (!name.startsWith('demoted')) standby.copyFrom(primary)
      await primary.requireStandby(standby)
    }
    const { acknowledged } = await traffic.stop()
    await judge({ services, url: primary.url, programId: program.id, acknowledged, isGood })
  } finally {
    await Promise.all(services.map(stopService))
    replicated.remove()
    await rm(folder, { recursive: true, force: true })
  }
}
