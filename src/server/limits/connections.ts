import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { callerOf } from '../../http/client-address.ts'

const logEveryMs = 60_000

/**
 * How long a connection may be idle, in ms. A request is lost if a proxy sends it while the connection is closed here,
 * so the service keeps proxies' connections longer than they do: usually 60 s, Google's load balancers 600 s. Other
 * clients get the time in the header Keep-Alive.
 */
export const idleMs = (trustedProxies: number): number => (trustedProxies > 0 ? 620_000 : 5_000)

/** One address can have this part of all connections. */
const shareOfAddress = 1 / 5

/** Closes connections beyond the limit, and those of an address beyond its share. Behind proxies, only the first. */
export function limitConnections(
  server: Server,
  { maxConnections, trustedProxies }: { maxConnections: number; trustedProxies: number },
  log: Logger,
): void {
  server.maxConnections = maxConnections
  const perAddress = trustedProxies > 0 ? maxConnections : Math.ceil(maxConnections * shareOfAddress)
  let loggedAt = Number.NEGATIVE_INFINITY
  const note = (limits: object) => {
    if (performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    log.warn(limits, 'connection closed, too many are open')
  }
  server.on('drop', () => note({ maxConnections }))
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = callerOf(socket.remoteAddress ?? '')
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (count <= perAddress) return
    note({ address, perAddress })
    socket.destroy()
  })
}
