import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Backups } from '../../database/backup/schedule.ts'
import type { Replicas } from '../../database/postgres/replicas.ts'
import type { WebhookDeliveryState } from '../../generated/prisma/enums.ts'
import type { AppDb } from '../../kernel/db.ts'
import { version } from '../../kernel/package-root.ts'
import { slowPaths } from '../../kernel/slow-paths.ts'
import { type Backlog, endpointStates, readBacklog } from '../../modules/doctor/backlog.ts'
import type { TurnCount } from '../limits/turns.ts'
import { thisWorker } from '../workers.ts'
import { watchBackups } from './backups.ts'
import { watchReplicas } from './replicas.ts'

export type PoolStats = { total: number; idle: number; waiting: number }

export type Requested = { method: string; route: string; operation: string; status: number; seconds: number }

export type Metrics = {
  /** Counts a response. `operation` is that of a REST route. */
  requested(request: Requested): void
  /** Counts a try of a delivery by the state of the delivery after it. */
  tried(state: WebhookDeliveryState): void
  watchTurns(count: () => TurnCount): void
  read(): Promise<{ contentType: string; text: string }>
}

type MetricsOptions = {
  db: AppDb
  pool?: (() => PoolStats) | undefined
  replicas?: Replicas['stats']
  now: () => Date
  /** The free space of the disk with the embedded database. */
  freeBytes?: (() => Promise<number>) | undefined
  backups?: Pick<Backups, 'ageSeconds' | 'everySeconds'> | undefined
}

/** The metrics of this process. What is read from the database is the same in every process. */
export function createMetrics({ db, pool, replicas, now, freeBytes, backups }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // With several processes, the supervisor collects these.
  if (thisWorker.id !== null) {
    new AggregatorRegistry()
    AggregatorRegistry.setRegistries(registry)
  }
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'tributary_info',
    help: 'Always 1, with the version of the service as a label.',
    labelNames: ['version'],
    registers,
    aggregator: 'first',
  }).set({ version }, 1)
  const requests = new Counter({
    name: 'tributary_http_requests_total',
    help: 'Responses, by route, operation of a REST route, and status.',
    labelNames: ['route', 'operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'tributary_http_request_duration_seconds',
    help: 'Time from a request to its response, by route.',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const deliveries = new Counter({
    name: 'tributary_webhook_tries_total',
    help: 'Tries of webhook deliveries, by the state of the delivery after the try: succeeded, pending (tried again), failed.',
    labelNames: ['state'],
    registers,
  })
  for (const state of ['succeeded', 'pending', 'failed'] as const) deliveries.inc({ state }, 0)
  if (pool) {
    new Gauge({
      name: 'tributary_database_connections',
      help: 'Connections of the pool: in use and idle; and requests that wait for one.',
      labelNames: ['state'],
      registers,
      collect() {
        const { total, idle, waiting } = pool()
        this.set({ state: 'used' }, total - idle)
        this.set({ state: 'idle' }, idle)
        this.set({ state: 'waiting' }, waiting)
      },
    })
  }
  if (replicas) watchReplicas(replicas, registers)
  if (backups) watchBackups(backups, registers)
  new Counter({
    name: 'tributary_slow_paths_total',
    help: 'How often a slow way was taken that has a fast one beside it.',
    labelNames: ['path'],
    registers,
    collect() {
      this.reset()
      for (const [path, count] of Object.entries(slowPaths())) this.inc({ path }, count)
    },
  })
  let countTurns: (() => TurnCount) | undefined
  new Gauge({
    name: 'tributary_turns',
    help: 'Requests that have a turn (taken), and that wait for one (waiting).',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, value] of Object.entries(countTurns?.() ?? {})) this.set({ state }, value)
    },
  })
  let reading: Promise<Backlog | null> | undefined
  /** One read for all gauges. The other metrics are answered also while the database is down. */
  const backlog = () => {
    reading ??= readBacklog(db, now())
      .catch(() => null)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const shared = { registers, aggregator: 'max' as const }
  new Gauge({
    name: 'tributary_webhook_lag_seconds',
    help: 'How long the oldest event or due delivery has been waiting for its endpoint. 0 if none waits.',
    ...shared,
    async collect() {
      this.set((await backlog())?.deliveryLagSeconds ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'tributary_sweep_lag_seconds',
    help: 'How long ago the oldest commission became due whose event is not recorded yet. 0 if there is none.',
    ...shared,
    async collect() {
      this.set((await backlog())?.sweepLagSeconds ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'tributary_database_up',
    help: 'Whether the database answers: 1 or 0.',
    registers,
    aggregator: 'min',
    async collect() {
      this.set((await backlog()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'tributary_visits_uncounted',
    help: 'Visits that are stored, but not in the counters of their affiliates yet. Counted up to 10,000.',
    ...shared,
    async collect() {
      this.set((await backlog())?.uncountedVisits ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'tributary_analytics_deltas',
    help: 'Changes that are not folded into the rollups of analytics yet. Counted up to 10,000.',
    ...shared,
    async collect() {
      this.set((await backlog())?.analyticsDeltas ?? Number.NaN)
    },
  })
  if (freeBytes) {
    new Gauge({
      name: 'tributary_data_free_bytes',
      help: 'Free space of the disk with the embedded database.',
      registers,
      async collect() {
        this.set(await freeBytes())
      },
    })
  }
  new Gauge({
    name: 'tributary_webhook_endpoints',
    help: 'Webhook endpoints, by state: active, failing, disabled.',
    labelNames: ['state'],
    ...shared,
    async collect() {
      const endpoints = (await backlog())?.endpoints
      for (const state of endpointStates) this.set({ state }, endpoints?.[state] ?? Number.NaN)
    },
  })
  return {
    requested({ route, operation, status, seconds }) {
      requests.inc({ route, operation, status })
      durations.observe({ route }, seconds)
    },
    tried: (state) => deliveries.inc({ state }),
    watchTurns(count) {
      countTurns = count
    },
    async read() {
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** For the process that supervises several: adds up the metrics of all of them. */
export function readMetricsOfWorkers(): Metrics['read'] {
  const aggregator = new AggregatorRegistry()
  return async () => ({ contentType: aggregator.contentType, text: await aggregator.clusterMetrics() })
}
