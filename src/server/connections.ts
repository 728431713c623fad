import type { Server } from 'node:http'
import type { Logger } from 'pino'

const logEveryMs = 60_000

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
