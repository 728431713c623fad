import type { Server } from 'node:http'
import type { Logger } from 'pino'

const logEveryMs = 60_000

/**
 * How long a connection may be idle, in ms. A request is lost if a proxy sends it while the connection is closed here,
 * so the service keeps proxies' connections longer than they do: usually 60 s, Google's load balancers 600 s. Other
 * clients get the time in the header Keep-Alive.
 */
export const idleMs = (trustedProxies: number): number => (trustedProxies > 0 ? 620_000 : 5_000)

/** Closes connections beyond the limit at once, and logs that no more than once in a minute. */
export function limitConnections(server: Server, maxConnections: number, log: Logger): void {
  server.maxConnections = maxConnections
  let loggedAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    log.warn({ maxConnections }, 'connection closed, too many are open')
  })
}
