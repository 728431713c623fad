import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { adminToken, createTestProgram, graphqlClient } from '../support/app.ts'
import { silentLog } from '../support/database.ts'
import { createSeller } from '../support/factories.ts'
import { canStartCluster, startCluster } from '../support/postgres-cluster.ts'
import { startProxy } from '../support/postgres-proxy.ts'
import { startServer } from '../support/server.ts'

const title = 'a PostgreSQL server of its own (needs TEST_DATABASE_URL and the programs of PostgreSQL)'

async function startService(url: string) {
  const server = await startServer(url)
  const operator = graphqlClient(server.fetch, { Authorization: `Bearer ${adminToken}` })
  const program = await createTestProgram(server.fetch, operator, {})
  return { ...server, program, readiness: () => fetch(`${server.address}/readyz`) }
}

type Service = Awaited<ReturnType<typeof startService>>

type Sent = { status: number; retryAfter: string | null; at: number; ms: number }

/** Sends reads, sales and other writes, some dozens at once, until the returned function is called. */
function keepBusy({ program }: Service) {
  const sent: Sent[] = []
  let isBusy = true
  const workers = Array.from({ length: 12 }, async (_, worker) => {
    for (let n = 0; isBusy; n += 1) {
      const name = `${worker}-${n}`
      const at = performance.now()
      const affiliate = { first_name: 'A', last_name: name, email: `a-${name}@b.test` }
      const sale = { email: 'nobody@b.test', amount_cents: 1_000, external_id: name }
      const requests = [
        () => program.get('/affiliates'),
        () => program.post('/affiliates', affiliate),
        () => program.post('/conversions', sale),
      ]
      const { status, headers } = await (requests[n % 3] as (typeof requests)[0])()
      sent.push({ status, retryAfter: headers.get('retry-after'), at, ms: performance.now() - at })
    }
  })
  return async () => {
    isBusy = false
    await Promise.all(workers)
    return sent
  }
}

/** The first time, in milliseconds from now, at which `/readyz` has this status. */
async function readyzTurns(service: Service, wanted: number): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    if ((await service.readiness()).status === wanted) return performance.now() - startedAt
    await pause(20)
  }
}

/** Without the watchdog, a silent server is noticed after 20 seconds. How soon it is noticed: npm run resilience -- outages. */
const soonMs = 12_000

describe.skipIf(!canStartCluster)(title, () => {
  it.each(['stopped by SIGSTOP', 'cut off by the network'])(
    '%s: answers are 503 long before the timeouts, /readyz turns, and requests succeed soon after its return',
    async (how) => {
      const cluster = await startCluster()
      const proxy = await startProxy(cluster.url)
      const silent = how.startsWith('stopped') ? cluster : proxy
      const service = await startService(proxy.url)
      const stop = keepBusy(service)
      await pause(500)
      silent.freeze()
      const frozenAt = performance.now()
      expect(await readyzTurns(service, 503)).toBeLessThan(soonMs)
      await pause(5_000)
      const thawedAt = performance.now()
      silent.thaw()
      expect(await readyzTurns(service, 200)).toBeLessThan(soonMs)
      const sent = await stop()

      expect(service.child.process.exitCode).toBeNull()
      for (const { status } of sent) expect([200, 201, 422, 503]).toContain(status)
      for (const { status, retryAfter } of sent) if (status === 503) expect(retryAfter).toBe('1')
      expect(Math.max(...sent.map(({ ms }) => ms))).toBeLessThan(soonMs)
      const during = sent.filter(({ at, ms }) => at > frozenAt && at + ms < thawedAt)
      expect([...new Set(during.map(({ status }) => status))]).toEqual([503])
      expect((await service.program.get('/affiliates')).status).toBe(200)
    },
  )

  it('connections ended again and again: each failure is a 503, and the process lives', async () => {
    const cluster = await startCluster()
    const service = await startService(cluster.url)
    const stop = keepBusy(service)
    for (let n = 0; n < 20; n += 1) {
      await pause(100)
      await cluster.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tributary%'`,
      )
    }
    await expect.poll(async () => (await service.readiness()).status).toBe(200)
    const sent = await stop()
    expect(service.child.process.exitCode).toBeNull()
    for (const { status } of sent) expect([200, 201, 422, 503]).toContain(status)
    expect(sent.some(({ status }) => status === 503)).toBe(true)
  })

  it('busy: a statement that takes longer than the watchdog waits is not ended', async () => {
    const cluster = await startCluster()
    const database = await openDatabase({ databaseUrl: cluster.url, dataDir: 'unused', log: silentLog })
    const slept = await database.db.$queryRaw`select 'slept' as done from pg_sleep(4)`
    expect(slept).toEqual([{ done: 'slept' }])
    await database.ping()
    await database.close()
  })

  it('read-only: writes are 503, reads work, /readyz says so, and writes work again afterwards', async () => {
    const cluster = await startCluster()
    const service = await startService(cluster.url)
    const { program } = service
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const report = (id: string) => program.post('/conversions', { coupon, amount_cents: 1_000, external_id: id })
    expect((await report('before')).status).toBe(201)
    // The commission is due now, and no payout was read yet.
    await cluster.run('ALTER SYSTEM SET default_transaction_read_only = on')
    await cluster.run('SELECT pg_reload_conf()')
    await expect.poll(async () => (await service.readiness()).status).toBe(503)
    expect(await (await service.readiness()).json()).toEqual({ status: 'database read-only' })

    const refused = await report('during')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(refused.body.error).toContain('read-only')
    const created = await program.post('/affiliates', { first_name: 'A', last_name: 'B', email: 'c@d.test' })
    expect(created.status).toBe(503)
    for (const path of ['/affiliates', '/commissions', '/payouts', '/campaigns']) {
      expect((await program.get(path)).status, path).toBe(200)
    }
    expect(
      (await program.graphql(`{ payouts(first: 5) { nodes { id } } affiliates(first: 5) { nodes { id } } }`)).payouts
        .nodes,
    ).toEqual([])
    const mutation = `mutation { createCampaign(input: { name: "x", url: "https://x.test", commissionPercent: 10 }) { campaign { id } } }`
    const failure = await program.graphql(mutation).catch((error) => error)
    expect(failure.errors[0]).toMatchObject({ extensions: { code: 'UNAVAILABLE', retryable: true } })

    await cluster.run('ALTER SYSTEM RESET default_transaction_read_only')
    await cluster.run('SELECT pg_reload_conf()')
    await expect.poll(async () => (await service.readiness()).status).toBe(200)
    expect((await report('during')).status).toBe(201)
    expect((await program.get('/payouts')).body.data).toHaveLength(1)
  })

  it('read-only for new sessions, then writable: connections are replaced, and writes work again', async () => {
    const cluster = await startCluster()
    await cluster.run('ALTER DATABASE postgres SET default_transaction_read_only = on')
    const database = await openDatabase({
      databaseUrl: await migrated(cluster),
      dataDir: 'unused',
      poolSize: 1,
      log: silentLog,
    })
    await expect(database.ping()).rejects.toMatchObject({ code: '25006' })
    await expect(database.db.$transaction((tx) => tx.program.deleteMany())).rejects.toThrow()
    await cluster.run('ALTER DATABASE postgres SET default_transaction_read_only = off')
    await database.db.$transaction((tx) => tx.program.deleteMany())
    await database.ping()
    await database.close()
  })
})

/** Applies the migrations while sessions may write, and makes them read-only again. */
async function migrated({ url, run }: Awaited<ReturnType<typeof startCluster>>): Promise<string> {
  await run('ALTER DATABASE postgres SET default_transaction_read_only = off')
  await (await openDatabase({ databaseUrl: url, dataDir: 'unused', log: silentLog })).close()
  await run('ALTER DATABASE postgres SET default_transaction_read_only = on')
  return url
}
