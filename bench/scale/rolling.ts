import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSeller } from '../../test/support/factories.ts'
import { createCluster } from '../../test/support/postgres-cluster.ts'
import { createProgramOn, diagnose, type Service, send, startService, stopService } from '../resilience/service.ts'
import { startBalancer } from './balancer.ts'
import { compareSales } from './stored-sales.ts'

export const summary =
  'Three instances behind HAProxy, each restarted in turn under load: no request fails, nothing twice.'
export const unit = 'connections'
export const defaultSize = 12

const instanceCount = 3
/** What a load balancer needs to notice that an instance is back. */
const betweenRestartsMs = 1_000

export async function run(connections: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-scale-'))
  const cluster = await createCluster()
  const env = { DATABASE_URL: cluster.url, DATA_DIR: join(folder, 'data'), TRUSTED_PROXIES: '1' }
  const services: Service[] = []
  let balancer: Awaited<ReturnType<typeof startBalancer>> | undefined
  try {
    for (let n = 0; n < instanceCount; n += 1) services.push(await startService(env))
    balancer = await startBalancer(
      folder,
      services.map((service) => service.address),
    )
    const { address } = balancer
    const program = await createProgramOn(() => address)
    const { coupon, affiliate } = await createSeller(program)
    const token = affiliate.links[0].token as string
    const failures = new Map<string, number>()
    const acknowledged = new Set<string>()
    const counts = { sales: 0, visits: 0, reads: 0 }
    let slowestMs = 0
    let isOver = false
    const ask = async (kind: keyof typeof counts, expected: number, method: string, path: string, body?: object) => {
      const startedAt = performance.now()
      const answer = await send(address, program.secret, method, path, body).catch((error: Error) => error)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      if (!(answer instanceof Error) && answer.status === expected) {
        counts[kind] += 1
        return true
      }
      const failure = `${kind} ${answer instanceof Error ? answer.message : answer.status}`
      failures.set(failure, (failures.get(failure) ?? 0) + 1)
      return false
    }
    const client = async (id: number) => {
      for (let n = 0; !isOver; n += 1) {
        const sale = { coupon, amount_cents: 100, external_id: `${id}-${n}` }
        if (await ask('sales', 201, 'POST', '/v1/conversions', sale)) acknowledged.add(sale.external_id)
        await ask('visits', 200, 'POST', '/track/visits', { key: program.publishableKey, token })
        await ask('reads', 200, 'GET', '/v1/commissions?limit=25')
      }
    }
    const clients = Array.from({ length: connections }, (_, id) => client(id))
    const startedAt = performance.now()
    const codes: (number | null)[] = []
    for (const [n, service] of services.entries()) {
      await pause(betweenRestartsMs)
      await stopService(service)
      codes.push(await service.exited)
      services[n] = await startService({ ...env, PORT: new URL(service.address).port })
    }
    await pause(betweenRestartsMs)
    isOver = true
    await Promise.all(clients)
    const seconds = (performance.now() - startedAt) / 1000
    const { stored, lost, doubled } = await compareSales(cluster.url, program.id, acknowledged)
    const failed = [...failures].map(([failure, count]) => `${count} x ${failure}`)
    console.log(
      `${connections} connections, ${seconds.toFixed(1)} s, ${instanceCount} restarts with exit codes ${codes.join(', ')}`,
    )
    console.log(`answered: ${counts.sales} sales, ${counts.visits} visits, ${counts.reads} reads`)
    console.log(`failed: ${failed.join(', ') || 'none'}; slowest answer ${slowestMs.toFixed(0)} ms`)
    console.log(
      `stored: ${stored.size} sales: ${lost.length} lost, ${doubled.length} doubled or without their commission`,
    )
    const findings = await diagnose(address)
    console.log(`doctor: ${findings} findings`)
    if (failed.length > 0 || lost.length > 0 || doubled.length > 0 || findings > 0) process.exitCode = 1
  } finally {
    await balancer?.stop()
    await Promise.all(services.map(stopService))
    cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}
