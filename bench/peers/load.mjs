// The load generator, a process of its own: each message is a load, each answer what it measured.
import autocannon from 'autocannon'
import { numbered } from '../numbered.ts'

/**
 * @typedef {{ url: string, method: 'GET' | 'POST', headers: Record<string, string>, body?: string, modulo?: number,
 *   next: number, connections: number, seconds: number }} Load
 */

process.on('message', async (/** @type {Load} */ load) => {
  let next = load.next
  const { origin, pathname, search } = new URL(load.url)
  const path = decodeURI(pathname) + search
  const request = { method: load.method, path, headers: load.headers, body: load.body }
  // Each request has its own number, so that each reads another row, or reports a new sale or a new visit.
  const setupRequest = (given) => {
    next += 1
    const body = load.body && numbered(load.body, next, load.modulo)
    return { ...given, path: numbered(path, next, load.modulo), body }
  }
  const result = await autocannon({
    url: origin,
    connections: load.connections,
    duration: load.seconds,
    timeout: 30,
    requests: [load.modulo ? { ...request, setupRequest } : request],
  })
  process.send?.({
    requests: result['2xx'],
    failed: result.non2xx + result.errors,
    seconds: result.duration,
    latencyMs: result.latency.p50,
    next,
  })
})
process.on('disconnect', () => process.exit())
