import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { limits } from '../../src/database/timeouts.ts'
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

/** Sends reads and writes, some dozens at once, until the returned function is called. */
function keepBusy({ program }: Service) {
  const statuses = new Set<number>()
  let isBusy = true
  const workers = Array.from({ length: 12 }, async (_, worker) => {
    for (let n = 0; isBusy; n += 1) {
      const name = `${worker}-${n}`
      const write = { first_name: 'A', last_name: name, email: `a-${name}@b.test` }
      const { status } = await (n % 3 === 0 ? program.get('/affiliates') : program.post('/affiliates', write))
      statuses.add(status)
    }
  })
  return async () => {
    isBusy = false
    await Promise.all(workers)
    return [...statuses].sort()
  }
}

describe.skipIf(!canStartCluster)(title, () => {
  it('frozen for longer than a transaction may take: the process lives and recovers', async () => {
    const cluster = await startCluster()
    const service = await startService(cluster.url)
    const stop = keepBusy(service)
    await pause(500)
    cluster.freeze()
    await pause(limits.transactionMs + 2_000)
    cluster.thaw()
    await expect.poll(() => service.readiness().then(({ status }) => status), { timeout: 30_000 }).toBe(200)
    expect(await stop()).toEqual(expect.arrayContaining([200, 201]))
    expect(service.child.process.exitCode).toBeNull()
    expect((await service.program.get('/affiliates')).status).toBe(200)
  })

  it('silent until queries time out: writes are 503 with Retry-After, the process lives and recovers', async () => {
    const cluster = await startCluster()
    const proxy = await startProxy(cluster.url)
    const service = await startService(proxy.url)
    const stop = keepBusy(service)
    await pause(500)
    proxy.freeze()
    await pause(limits.queryMs + 3_000)
    proxy.thaw()
    await expect.poll(() => service.readiness().then(({ status }) => status), { timeout: 30_000 }).toBe(200)
    expect(await stop()).toEqual([200, 201, 503])
    expect(service.child.process.exitCode).toBeNull()
    expect((await service.program.get('/affiliates')).status).toBe(200)
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
