import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSeller } from '../../test/support/factories.ts'
import { serverCpuMs } from '../cpu.ts'
import {
  createProgramOn,
  diagnose,
  printLastLines,
  type Service,
  send,
  startService,
  stopService,
} from '../resilience/service.ts'
import { createReplicated, type Node } from './replicated.ts'
import { startTraffic } from './sale-traffic.ts'

export const summary =
  'A primary and two replicas: what reads cost on each, and whether an answer is old while replicas stop, freeze and stay behind.'
export const unit = 'seconds of each part'
export const defaultSize = 15
export const quickSize = 4

const readers = 4
const graphql = (query: string) => ['POST', '/graphql', { query }] as const
const range = 'range: { preset: LAST_30_DAYS }'
const reads: (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/v1/commissions?limit=25'],
  graphql('{ affiliates(first: 25) { nodes { id email } totalCount } }'),
  ['GET', '/v1/sales?limit=25'],
  graphql(`{ analytics(${range}) { totals { commissionAccrued { formatted } } } }`),
  ['GET', '/v1/exports/sales?format=csv'],
]

/** Begins something that goes wrong with the replicas. Returns what ends it. */
type Trouble = (replicas: [Node, Node]) => Promise<() => Promise<void> | void>

const troubles: Record<string, Trouble> = {
  'both well': async () => () => {},
  'one stopped': async ([one]) => {
    one.stop('fast')
    return () => one.start()
  },
  'one frozen': async ([one]) => {
    one.freeze()
    return () => one.thaw()
  },
  'one does not replay': async ([one]) => {
    await one.query('select pg_wal_replay_pause()')
    return async () => void (await one.query('select pg_wal_replay_resume()'))
  },
  'one replays 2 s late': async ([one]) => {
    await one.query(`alter system set recovery_min_apply_delay = '2s'`)
    await one.query('select pg_reload_conf()')
    return async () => {
      await one.query('alter system reset recovery_min_apply_delay')
      await one.query('select pg_reload_conf()')
    }
  },
  'both do not replay': async (replicas) => {
    for (const one of replicas) await one.query('select pg_wal_replay_pause()')
    return async () => {
      for (const one of replicas) await one.query('select pg_wal_replay_resume()')
    }
  },
}

export async function run(seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-scale-'))
  const replicated = await createReplicated(3)
  const [primary, ...replicas] = replicated.nodes as [Node, Node, Node]
  const urls = { DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(',') }
  const data = { DATA_DIR: join(folder, 'data'), METRICS_TOKEN: metricsToken }
  const services: Service[] = []
  let isGood = true
  const start = async (env: Record<string, string>) => {
    for (const service of services.splice(0)) await stopService(service)
    for (let n = 0; n < 2; n += 1) services.push(await startService({ ...data, ...env }))
    return services.map(({ address }) => address) as [string, string]
  }
  try {
    let addresses = await start({ DATABASE_URL: urls.DATABASE_URL })
    const program = await createProgramOn(() => addresses[0])
    const { coupon } = await createSeller(program)
    for (let n = 0; n < 300; n += 1)
      await send(addresses[0], program.secret, 'POST', '/v1/conversions', {
        coupon,
        amount_cents: 100,
        external_id: `seed-${n}`,
      })
    console.log(
      '| reads | sales at the same time | reads | failed | median | p99 | CPU of the primary per read | CPU of each replica per read |',
    )
    console.log('|---|---|---|---|---|---|---|---|')
    for (const [name, env] of [
      ['without replicas', { DATABASE_URL: urls.DATABASE_URL }],
      ['with two replicas', urls],
    ] as const) {
      addresses = await start(env)
      await pause(1_000)
      for (const sells of [false, true]) {
        await load(addresses, program.secret, 1)
        const traffic = sells ? startTraffic(addresses, program.secret, coupon, `${name}-`) : undefined
        const before = await Promise.all(replicated.nodes.map((node) => serverCpuMs(node.pids())))
        const { times, failed } = await load(addresses, program.secret, seconds)
        const after = await Promise.all(replicated.nodes.map((node) => serverCpuMs(node.pids())))
        await traffic?.stop()
        const old = traffic?.end().oldAnswers.length ?? 0
        isGood &&= failed === 0 && old === 0
        const cpu = after.map((ms, index) => (ms - (before[index] as number)) / times.length)
        const [ofPrimary, ...ofReplicas] = cpu as [number, ...number[]]
        console.log(
          `| ${name} | ${traffic ? traffic.end().sales : 'none'} | ${times.length} | ${failed} | ${at(times, 0.5)} | ${at(times, 0.99)} | ${ofPrimary.toFixed(2)} ms | ${ofReplicas.map((ms) => `${ms.toFixed(2)} ms`).join(', ')} |`,
        )
      }
    }
    console.log(
      '\n| replicas | sales, each read at the other instance at once | old answers | other failures | answered by replicas | by the primary |',
    )
    console.log('|---|---|---|---|---|---|')
    for (const [name, trouble] of Object.entries(troubles)) {
      const traffic = startTraffic(addresses, program.secret, coupon, `${name}-`)
      const before = await countReads(addresses)
      await pause(300)
      const end = await trouble(replicas as [Node, Node])
      await pause(seconds * 1_000)
      await end()
      await pause(1_500)
      await traffic.stop()
      const after = await countReads(addresses)
      const { sales, oldAnswers, others, unavailable, failedFields } = traffic.end()
      isGood &&= oldAnswers.length === 0 && others.length + unavailable + failedFields === 0
      console.log(
        `| ${name} | ${sales} | ${oldAnswers.slice(0, 3).join('; ') || 0} | ${[...new Set(others)].slice(0, 3).join('; ') || unavailable + failedFields} | ${after.replica - before.replica} | ${after.primary - before.primary} |`,
      )
    }
    const findings = await diagnose(addresses[1])
    console.log(`doctor: ${findings} findings`)
    if (!isGood || findings > 0) {
      process.exitCode = 1
      printLastLines(services)
    }
  } finally {
    await Promise.all(services.map(stopService))
    replicated.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

const metricsToken = 'metrics-of-the-scale-scripts'

/** How many reads the replicas have answered, and the primary in their place. */
async function countReads(addresses: readonly string[]): Promise<{ replica: number; primary: number }> {
  const counts = { replica: 0, primary: 0 }
  for (const address of addresses) {
    const { body } = await send(address, metricsToken, 'GET', '/metrics')
    for (const [, name, value] of body.matchAll(/^tributary_replica_(reads|fallbacks)_total\{.*\} (\d+)$/gm))
      counts[name === 'reads' ? 'replica' : 'primary'] += Number(value)
  }
  return counts
}

/** Sends the reads in turn. Returns how long each took, in milliseconds. */
async function load(addresses: readonly string[], secret: string, seconds: number) {
  const until = performance.now() + seconds * 1_000
  const times: number[] = []
  let failed = 0
  const reader = async (first: number) => {
    for (let n = first; performance.now() < until; n += 1) {
      const [method, path, body] = reads[n % reads.length] as (typeof reads)[number]
      const startedAt = performance.now()
      const answer = await send(addresses[n % addresses.length] as string, secret, method, path, body).catch(
        () => undefined,
      )
      times.push(performance.now() - startedAt)
      if (answer?.status !== 200 || answer.body.includes('"errors"')) failed += 1
    }
  }
  await Promise.all(Array.from({ length: readers }, (_, n) => reader(n)))
  return { times: times.toSorted((a, b) => a - b), failed }
}

const at = (times: readonly number[], part: number) => `${(times[Math.floor(times.length * part)] ?? 0).toFixed(1)} ms`
