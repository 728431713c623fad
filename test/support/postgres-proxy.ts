import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy in front of a PostgreSQL server that can stop forwarding, as a network does that loses packets: TCP sends them again later. */
export async function startProxy(url: string) {
  const { remove, ...proxy } = await createProxy(url)
  onTestFinished(remove)
  return proxy
}

/** A proxy that is removed by `remove`. */
export async function createProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const proxy = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432) })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
      if (isFrozen) from.pause()
    }
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const proxied = new URL(url)
  proxied.hostname = '127.0.0.1'
  proxied.port = String((proxy.address() as { port: number }).port)
  return {
    url: proxied.href,
    remove: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
    /** From now on nothing is forwarded; connections stay open and new ones are accepted. */
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    /** Delivers what was held back. */
    thaw: () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
  }
}
