// The load generator, a process of its own: each message is a load, each answer what it measured.
import autocannon from 'autocannon'

/**
 * @typedef {{ url: string, method: 'GET' | 'POST', headers: Record<string, string>, body?: string, modulo?: number,
 *   next: number, connections: number, seconds: number }} Load
 */

process.on('message', async (/** @type {Load} */ load) => {
  let next = load.next
  const request = { method: load.method, headers: load.headers, body: load.body }
  // Each request has its own number, so that each reports a new sale or a new visit.
  const setupRequest = (given) => {
    next += 1
    const picked = next % load.modulo
    const body = load.body
      .replaceAll('{n}', `${next}`)
      .replaceAll('{m}', `${picked}`)
      .replaceAll('{hex}', picked.toString(16).padStart(12, '0'))
    return { ...given, body }
  }
  const result = await autocannon({
    url: load.url,
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
