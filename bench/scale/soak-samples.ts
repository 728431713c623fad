import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { processCpuMs, serverCpuMs } from '../cpu.ts'
import { kinds, quantile, type Seen } from '../resilience/mixed-traffic.ts'
import { residentMb, type Service, send } from '../resilience/service.ts'
import type { Node } from './replicated.ts'

/** What is watched: the parts of an installation, and what its clients and its receiver of webhooks see. */
export type Watched = {
  services: readonly Service[]
  nodes: readonly Node[]
  /** The processes of the proxies in front of both. */
  proxies: readonly number[]
  metricsToken: string
  take(): Seen
  /** How late webhooks came since the last look, in seconds. */
  takeDelays(): number[]
}

/** Lags are the longest that was seen in the minute, in seconds. */
export type Minute = Seen & {
  residentMb: number[]
  replicationLag: number
  deliveryLag: number
  /** How late webhooks came in this minute, in seconds. */
  delays: number[]
  uncountedVisits: number
  analyticsDeltas: number
  cores: { own: number; others: number }
  load: number
}

const betweenLooksMs = 5_000

/** Watches for a minute. */
export async function watchMinute(watched: Watched): Promise<Minute> {
  const until = performance.now() + 60_000
  const startedAt = performance.now()
  const [ownBefore, allBefore] = [await ownCpuMs(watched), machineCpuMs()]
  const minute = { replicationLag: 0, deliveryLag: 0, uncountedVisits: 0, analyticsDeltas: 0 }
  while (performance.now() < until) {
    await pause(Math.min(betweenLooksMs, until - performance.now()))
    const [lag, gauges] = [await patiently(() => readReplicationLag(watched.nodes)), await readGauges(watched)]
    minute.replicationLag = Math.max(minute.replicationLag, lag)
    minute.deliveryLag = Math.max(minute.deliveryLag, gauges.deliveryLag)
    minute.uncountedVisits = Math.max(minute.uncountedVisits, gauges.uncountedVisits)
    minute.analyticsDeltas = Math.max(minute.analyticsDeltas, gauges.analyticsDeltas)
  }
  const passed = performance.now() - startedAt
  const own = ((await ownCpuMs(watched)) - ownBefore) / passed
  const all = (machineCpuMs() - allBefore) / passed
  return {
    ...watched.take(),
    ...minute,
    residentMb: await Promise.all(watched.services.map(residentMb)),
    delays: watched.takeDelays(),
    cores: { own, others: Math.max(0, all - own) },
    load: loadavg()[0] ?? 0,
  }
}

/** How late the slowest replica replays, as the primary knows it. A replica that is missing is infinitely late. */
async function readReplicationLag([primary, ...replicas]: readonly Node[]): Promise<number> {
  const sql = `select coalesce(extract(epoch from replay_lag), 0)::float as lag from pg_stat_replication where state = 'streaming'`
  const rows = (await primary?.query<{ lag: number }>(sql)) ?? []
  return rows.length < replicas.length ? Number.POSITIVE_INFINITY : Math.max(0, ...rows.map(({ lag }) => lag))
}

export async function readGauges({ services, metricsToken }: Pick<Watched, 'services' | 'metricsToken'>) {
  const address = services[0]?.address ?? ''
  const { body } = await patiently(() => send(address, metricsToken, 'GET', '/metrics'))
  const read = (name: string) => Number(new RegExp(`^tributary_${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(body)?.[1])
  return {
    deliveryLag: read('webhook_lag_seconds'),
    uncountedVisits: read('visits_uncounted'),
    analyticsDeltas: read('analytics_deltas'),
  }
}

/** A look that fails on a busy machine does not end the run. */
async function patiently<T>(look: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left -= 1) {
    try {
      return await look()
    } catch (error) {
      if (left === 0) throw error
      await pause(500)
    }
  }
}

/** The processor time of the installation and of this process, which makes the load. */
export async function ownCpuMs({ services, nodes, proxies }: Pick<Watched, 'services' | 'nodes' | 'proxies'>) {
  const pids = [process.pid, ...proxies, ...services.map((service) => service.process.pid as number)]
  const parts = [...pids.map(processCpuMs), ...nodes.map((node) => serverCpuMs(node.pids()))]
  return (await Promise.all(parts)).reduce((sum, ms) => sum + ms, 0)
}

/** The processor time that all processes of the machine have used. */
function machineCpuMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string
  )
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq) * 10
}

/** Milliseconds of processor time that the installation and its load have used for each request. */
export function cpuMsPerRequest(minutes: readonly Minute[]): number {
  const requests = minutes.reduce((sum, { times }) => sum + kinds.reduce((all, kind) => all + times[kind].length, 0), 0)
  return (minutes.reduce((sum, { cores }) => sum + cores.own, 0) * 60_000) / requests
}

const milliseconds = (times: readonly number[]) =>
  `${quantile(times, 0.5).toFixed(0)}/${quantile(times, 0.99).toFixed(0)}`

export const minuteHead = `| minute | ${kinds.map((kind) => `${kind} p50/p99 ms`).join(' | ')} | requests | 503, repeated | failed | RSS MB | replication lag s | delivery lag s | webhooks: count, p99 s | visits not counted | changes not folded | cores: own, others | load |
|${'---|'.repeat(kinds.length + 12)}`

export function minuteRow(number: number, minute: Minute): string {
  const cells = [
    number,
    ...kinds.map((kind) => milliseconds(minute.times[kind])),
    kinds.reduce((sum, kind) => sum + minute.times[kind].length, 0),
    minute.unavailable,
    minute.failures.length,
    minute.residentMb.map((mb) => mb.toFixed(0)).join(' '),
    minute.replicationLag.toFixed(2),
    minute.deliveryLag.toFixed(2),
    `${minute.delays.length}, ${quantile(minute.delays, 0.99).toFixed(2)}`,
    minute.uncountedVisits,
    minute.analyticsDeltas,
    `${minute.cores.own.toFixed(2)}, ${minute.cores.others.toFixed(2)}`,
    minute.load.toFixed(1),
  ]
  return `| ${cells.join(' | ')} |`
}
