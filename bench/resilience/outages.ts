import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createSeller } from '../../test/support/factories.ts'
import { type Cluster, createCluster } from '../../test/support/postgres-cluster.ts'
import { createProxy } from '../../test/support/postgres-proxy.ts'
import { withDataDir } from './place.ts'
import { createProgramOn, type Service, send, startService, stopService } from './service.ts'

export const summary =
  'PostgreSQL away in eight ways: how answers, /readyz and the return behave. Starts a server of its own.'
export const unit = 'seconds of each outage'
export const defaultSize = 10

type Place = { cluster: Cluster; proxy: Awaited<ReturnType<typeof createProxy>> }
/** Begins an outage. Returns what ends it. */
type Outage = (place: Place) => Promise<() => void | Promise<void>>

const withClient = async <T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return await run(client).finally(() => client.end())
}

const endAll = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tributary%'`
const endConnections = (url: string) => withClient(url, (client) => client.query(endAll))

const outages: Record<string, Outage> = {
  'stopped at once (immediate)': async ({ cluster }) => {
    cluster.stop('immediate')
    return () => cluster.start()
  },
  'stopped gently (fast)': async ({ cluster }) => {
    cluster.stop('fast')
    return () => cluster.start()
  },
  SIGSTOP: async ({ cluster }) => {
    cluster.freeze()
    return () => cluster.thaw()
  },
  'black hole': async ({ proxy }) => {
    proxy.freeze()
    return () => proxy.thaw()
  },
  'connections exhausted': async ({ cluster }) => {
    const others: pg.Client[] = []
    let isOver = false
    const occupy = async () => {
      while (!isOver) {
        const other = new pg.Client({ connectionString: cluster.url })
        other.on('error', () => {})
        const isFull = await other.connect().then(
          () => false,
          () => true,
        )
        if (isFull) await pause(20)
        else others.push(other)
      }
    }
    const occupying = occupy()
    // Until the service has no connection left.
    await withClient(cluster.url, async (client) => {
      for (let n = 0; n < 20; n += 1) {
        await client.query(endAll)
        await pause(50)
      }
    })
    return async () => {
      isOver = true
      await occupying
      await Promise.all(others.map((other) => other.end()))
    }
  },
  'backends killed': async ({ cluster }) => {
    let isOver = false
    const killing = (async () => {
      while (!isOver) {
        await endConnections(cluster.url)
        await pause(100)
      }
    })()
    return async () => {
      isOver = true
      await killing
    }
  },
  'table locked': async ({ cluster }) => {
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await client.query('begin; lock table affiliates in access exclusive mode')
    return () => client.end()
  },
  'read-only': async ({ cluster }) => {
    await cluster.run('ALTER SYSTEM SET default_transaction_read_only = on')
    await cluster.run('SELECT pg_reload_conf()')
    return async () => {
      await cluster.run('ALTER SYSTEM RESET default_transaction_read_only')
      await cluster.run('SELECT pg_reload_conf()')
    }
  },
}

type Sent = { kind: string; status: number | 'reset'; retryAfter: string | undefined; at: number; ms: number }

/** Sends reads and writes with eight workers until it is stopped. */
function keepBusy(service: Service, secret: string, coupon: string) {
  const sent: Sent[] = []
  let isBusy = true
  const kinds: [string, string, string, ((n: string) => object)?][] = [
    ['read', 'GET', '/v1/campaigns'],
    ['write', 'POST', '/v1/conversions', (n) => ({ coupon, amount_cents: 100, external_id: n })],
    ['read', 'GET', '/v1/affiliates'],
    ['write', 'POST', '/v1/affiliates', (n) => ({ first_name: 'A', last_name: n, email: `a-${n}@b.test` })],
    ['read', 'POST', '/graphql', () => ({ query: '{ campaigns(first: 2) { nodes { id } } }' })],
  ]
  const workers = Array.from({ length: 8 }, async (_, worker) => {
    for (let n = worker; isBusy; n += 1) {
      const [kind, method, path, body] = kinds[n % kinds.length] as (typeof kinds)[number]
      const at = performance.now()
      const id = `${Math.round(at * 1000)}-${worker}-${n}`
      const answer = await send(service.address, secret, method, path, body?.(id)).catch(() => null)
      sent.push({
        kind,
        at,
        status: answer?.status ?? 'reset',
        retryAfter: answer?.retryAfter,
        ms: performance.now() - at,
      })
      await pause(5)
    }
  })
  const stop = async () => {
    isBusy = false
    await Promise.all(workers)
  }
  return { sent, stop }
}

/** Notes each change of `/readyz`. */
function followReadiness(service: Service) {
  const changes: { at: number; status: number }[] = []
  let isFollowing = true
  const ask = async () => {
    const at = performance.now()
    const { status } = await send(service.address, '', 'GET', '/readyz').catch(() => ({ status: 0 }))
    // An answer that is late counts from when it came.
    if (changes.at(-1)?.status !== status) changes.push({ at: Math.max(at, performance.now()), status })
  }
  const following = (async () => {
    while (isFollowing) {
      void ask()
      await pause(50)
    }
  })()
  return {
    changes,
    stop: async () => {
      isFollowing = false
      await following
    },
  }
}

const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${(ms / 1000).toFixed(2)} s`)

async function measure(name: string, outage: Outage, durationMs: number): Promise<string> {
  const cluster = await createCluster('-c max_connections=30')
  const proxy = await createProxy(cluster.url)
  return await withDataDir(async (dataDir) => {
    const service = await startService({ DATABASE_URL: proxy.url, DATA_DIR: dataDir })
    try {
      const program = await createProgramOn(() => service.address)
      const { coupon } = await createSeller(program)
      const busy = keepBusy(service, program.secret, coupon)
      await pause(1_000)
      const readiness = followReadiness(service)
      await pause(200)
      const beganAt = performance.now()
      const end = await outage({ cluster, proxy })
      await pause(durationMs)
      const returnsAt = performance.now()
      await end()
      const endedAt = performance.now()
      await pause(3_000)
      await Promise.all([busy.stop(), readiness.stop()])
      const { sent } = busy
      const affected = sent.filter(({ at, ms }) => at + ms > beganAt && at < endedAt + 1_000)
      const failed = affected.filter(({ status }) => status === 'reset' || status >= 400)
      const wrong = failed.filter(({ status, retryAfter }) => status !== 503 || retryAfter === undefined)
      const reads = affected.filter(
        ({ kind, at, ms }) => kind === 'read' && at > beganAt + 1_000 && at + ms < returnsAt,
      )
      const readsGood = reads.filter(({ status }) => status === 200).length
      const firstSuccess = (kind: string) =>
        sent.find((one) => one.kind === kind && one.at + one.ms > endedAt && Number(one.status) < 300)
      const success = Math.max(
        ...['read', 'write'].map((kind) => {
          const one = firstSuccess(kind)
          return one ? one.at + one.ms - endedAt : Number.NaN
        }),
      )
      const turned = readiness.changes.find(({ at, status }) => at > beganAt && status === 503)
      const isAlive = service.process.exitCode === null
      if (!isAlive) console.error(service.lines.slice(-12).join('\n'))
      const slowest = Math.max(...affected.map(({ ms }) => ms))
      return `| ${name} | ${affected.length} | ${failed.length} | ${wrong.length}${wrong.length > 0 ? ` (${[...new Set(wrong.map(({ status }) => status))].join(', ')})` : ''} | ${seconds(slowest)} | ${seconds(turned && turned.at - beganAt)} | ${seconds(success)} | ${Math.round((100 * readsGood) / Math.max(1, reads.length))} % | ${isAlive ? 'yes' : 'no'} |`
    } finally {
      proxy.thaw()
      await stopService(service)
      proxy.remove()
      cluster.remove()
    }
  })
}

export async function run(durationSeconds: number): Promise<void> {
  console.log(`${durationSeconds} s each`)
  console.log(
    '| outage | answers | failed | not a 503 with Retry-After | slowest answer | /readyz turned after | first success after its return | reads that succeeded | process lives |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  const only = process.env.OUTAGE
  for (const [name, outage] of Object.entries(outages))
    if (!only || only === name) console.log(await measure(name, outage, durationSeconds * 1_000))
}
