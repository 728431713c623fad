import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type pg from 'pg'
import { openDatabase } from '../../src/database/open.ts'
import { foldListCounts } from '../../src/database/upkeep/list-counts.ts'
import { createApiKey } from '../../src/modules/access/api-keys/service.ts'
import { foldDeltas } from '../../src/modules/analytics/fold.ts'
import { readBacklog } from '../../src/modules/doctor/backlog.ts'
import { checkDataDaily } from '../../src/modules/doctor/data-check.ts'
import { deleteOldEvents } from '../../src/modules/event-log/retention.ts'
import { sweepClock } from '../../src/modules/event-log/sweep.ts'
import { createProgram } from '../../src/modules/programs/service.ts'
import { deleteOldVisits } from '../../src/modules/tracking/retention.ts'
import { claimDeliveries } from '../../src/modules/webhooks/claim.ts'
import { createApp } from '../../src/server/app.ts'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { createCluster } from '../../test/support/postgres-cluster.ts'
import { cpuBetween, readBackends } from '../cpu.ts'
import { log, operatorCtx, withClient } from '../database.ts'
import { copyProgram } from './fill-programs.ts'

export const summary = 'Many small programs: what a request and each job in the background cost, against 10 programs.'
export const unit = 'programs'
export const defaultSize = 10_000

const fewPrograms = 10
const rounds = 7
const requestsOfRound = 30
/** Callers whose programs take turns, so that little is in the caches of the process. */
const callers = 500

type Measured = { nodeMs: number; postgresMs: number; rowsRead: Rows }

/** Two databases, in which all programs have the same rows. Fails if a request reads the rows of all programs. */
export async function run(programs: number): Promise<void> {
  const cluster = await createCluster('-c max_wal_size=4GB -c shared_buffers=1GB -c track_counts=on')
  const urlOf = (name: string) => Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href
  try {
    await withClient(cluster.url, async (server) => {
      await server.query('create database few')
      const { programId, secret } = await createSmallProgram(urlOf('few'))
      await server.query('create database many template few')
      const results = new Map<string, Map<string, Measured>>()
      for (const [name, count] of [
        ['few', fewPrograms],
        ['many', programs],
      ] as const) {
        const secrets = await withClient(urlOf(name), (client) => copyProgram(client, programId, count - 1))
        results.set(name, await measure(server, name, urlOf(name), [secret, ...secrets].slice(0, callers)))
      }
      show(results.get('few'), results.get('many'), programs)
    })
  } finally {
    cluster.remove()
  }
}

const open = (databaseUrl: string) => openDatabase({ dataDir: tmpdir(), databaseUrl, log, poolSize: 1 })

type Opened = Awaited<ReturnType<typeof open>>

const appOn = (database: Opened) => {
  const metrics = createMetrics({ db: database.db, now: () => new Date() })
  const app = createApp({
    database,
    log,
    adminToken: 'operator-token-of-the-benchmark',
    publicUrl: () => 'http://localhost',
    webhooks: { key: Buffer.alloc(32, 7), allowedHosts: ['127.0.0.1'], allowHttp: true, isIdle: true },
  })
  const call = async (secret: string, method: string, path: string, body?: object) => {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return { app, metrics, call }
}

/** Five affiliates with coupons, ten sales, an API key and an endpoint for webhooks. */
async function createSmallProgram(url: string): Promise<{ programId: string; secret: string }> {
  const database = await open(url)
  const ctx = operatorCtx(database.db)
  const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const { secret } = await createApiKey(ctx, program.id, { name: 'Bench' })
  const { app, call } = appOn(database)
  for (let n = 0; n < 5; n += 1) {
    const affiliate = await call(secret, 'POST', '/v1/affiliates', {
      email: `${n}@example.com`,
      first_name: 'Ada',
      last_name: `${n}`,
    })
    await call(secret, 'POST', `/v1/affiliate_coupons`, { affiliate_id: affiliate.id, token: `ADA${n}` })
  }
  for (let n = 0; n < 10; n += 1)
    await call(secret, 'POST', '/v1/conversions', { coupon: `ADA${n % 5}`, amount_cents: 1_000, external_id: `${n}` })
  await database.db.$executeRaw`
    insert into webhook_endpoints (program_id, id, url, event_types, format, secret, created_at, updated_at)
    values (${program.id}::uuid, gen_random_uuid(), 'https://hooks.acme.test/', '{}', 'standard', 'none', now(), now())`
  app.stop()
  await app.flush()
  // Else the process would fold the copies while it is measured.
  await foldDeltas(database.db)
  await foldListCounts(database.db)
  await database.close()
  return { programId: program.id, secret }
}

async function measure(
  server: pg.Client,
  name: string,
  url: string,
  secrets: string[],
): Promise<Map<string, Measured>> {
  const database = await open(url)
  const { db } = database
  const { app, metrics, call } = appOn(database)
  const now = () => new Date()
  let turn = 0
  const nextSecret = () => secrets[turn++ % secrets.length] as string
  const heapBefore = heap()
  for (const secret of secrets) await call(secret, 'GET', '/v1/affiliates?limit=25')
  const heapBytes = heap() - heapBefore
  const requests: Record<string, () => Promise<unknown>> = {
    'GET /v1/affiliates': () => call(nextSecret(), 'GET', '/v1/affiliates?limit=25'),
    'GET /v1/commissions': () => call(nextSecret(), 'GET', '/v1/commissions?limit=25'),
    'POST /v1/conversions': () =>
      call(nextSecret(), 'POST', '/v1/conversions', { coupon: 'ADA1', amount_cents: 500, external_id: `new-${turn}` }),
  }
  const jobs: Record<string, () => Promise<unknown>> = {
    'sweep of the clock, every 15 s': () => sweepClock({ db, now }),
    'looking for deliveries, every 2 s': () =>
      claimDeliveries(db, now(), 10, new Map(), { total: 10, perEndpoint: 5, perFailingEndpoint: 1 }),
    'reading /metrics': () => readBacklog(db, now()),
    'retention of events, every 10 min': () => deleteOldEvents(db, now(), 90),
    'retention of visits, every 10 min': () => deleteOldVisits(db, now(), 90),
    'data check, every 10 min': () => checkDataDaily(db, now()),
  }
  const measured = new Map<string, Measured>()
  const once = async (label: string, run: () => Promise<unknown>, times: number, repeated: number) => {
    const seen: Measured[] = []
    for (let round = 0; round <= repeated; round += 1) {
      const rowsBefore = await readRows(db)
      const before = await readBackends(server, name)
      const cpu = process.cpuUsage()
      for (let n = 0; n < times; n += 1) await run()
      const { user, system } = process.cpuUsage(cpu)
      const postgresMs = cpuBetween(before, await readBackends(server, name)) / times
      const rowsRead = rowsBetween(rowsBefore, await readRows(db), times)
      if (round > 0 || repeated === 0) seen.push({ nodeMs: (user + system) / 1000 / times, postgresMs, rowsRead })
    }
    const lowest = (key: 'nodeMs' | 'postgresMs') => Math.min(...seen.map((one) => one[key]))
    const rowsRead = seen.map((one) => one.rowsRead).sort((one, other) => sumOf(one) - sumOf(other))[0] as Rows
    measured.set(label, { nodeMs: lowest('nodeMs'), postgresMs: lowest('postgresMs'), rowsRead })
  }
  for (const [label, run] of Object.entries(requests)) await once(label, run, requestsOfRound, rounds)
  for (const [label, run] of Object.entries(jobs)) await once(label, run, 1, label.includes('min') ? 0 : rounds)
  const metricsBytes = (await metrics.read()).text.length
  const { rows } = await withClient(url, (client) =>
    client.query('select pg_database_size(current_database())::float8 as bytes'),
  )
  console.log(
    `${name}: database ${(rows[0].bytes / 2 ** 20).toFixed(0)} MiB; heap of node for ${secrets.length} programs in use ${(heapBytes / 2 ** 20).toFixed(1)} MiB; /metrics ${metricsBytes} bytes`,
  )
  app.stop()
  await app.flush()
  await database.close()
  return measured
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

type Rows = Map<string, number>

/** How many rows and entries of indexes the statements have read, by table. */
async function readRows(db: Opened['db']): Promise<Rows> {
  await db.$queryRaw`select pg_stat_force_next_flush()::text`
  const rows = await db.$queryRaw<{ name: string; count: number }[]>`
    select t.relname::text as name, (t.seq_tup_read + coalesce(
      (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0))::float8 as count
    from pg_stat_user_tables t`
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** The rows that were read between two readings, those of the table that was read most first. */
const rowsBetween = (before: Rows, after: Rows, times: number): Rows =>
  new Map(
    [...after]
      .map(([name, count]): [string, number] => [name, (count - (before.get(name) ?? 0)) / times])
      .filter(([, count]) => count >= 1)
      .sort(([, one], [, other]) => other - one),
  )

const sumOf = (rows: Rows) => [...rows.values()].reduce((sum, count) => sum + count, 0)

function show(few: Map<string, Measured> = new Map(), many: Map<string, Measured> = new Map(), programs: number): void {
  console.log(
    `ms of CPU of node and of PostgreSQL, rows and entries read: ${fewPrograms} programs; ${programs} programs`,
  )
  const format = ({ nodeMs, postgresMs, rowsRead }: Measured) =>
    `${nodeMs.toFixed(2)} + ${postgresMs.toFixed(2)}, ${sumOf(rowsRead).toFixed(0)} rows`
  for (const [label, ofMany] of many) {
    const ofFew = few.get(label) as Measured
    console.log(`  ${label}: ${format(ofFew)}; ${format(ofMany)}`)
    const most = [...ofMany.rowsRead].slice(0, 4).map(([name, count]) => `${name} ${count.toFixed(0)}`)
    console.log(`    most of ${programs} programs: ${most.join(', ') || 'none'}`)
    // PostgreSQL reads small tables whole, because it is cheaper.
    const allowed = Math.max(5_000, programs / 2)
    const tables = [...ofMany.rowsRead].filter(([, count]) => count > allowed)
    if (label.includes('/v1') && tables.length > 0) {
      console.log(`    reads rows of other programs: ${tables.map(([name]) => name).join(', ')}`)
      process.exitCode = 1
    }
  }
}
