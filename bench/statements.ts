import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** What a client sent to the database. */
export type Sent = {
  /** Executed statements, BEGIN and COMMIT included. */
  statements: number
  /** Statements that PostgreSQL had to parse, because they were not prepared on that connection. */
  parsed: number
  roundTrips: number
}

export type CountingProxy = { databaseUrl: string; read(): Sent; close(): void }

/** A proxy in front of a PostgreSQL server that counts messages, so that it sees the statements of every kind of client. */
export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const sent: Sent = { statements: 0, parsed: 0, roundTrips: 0 }
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    const count = countMessages(sent)
    client.on('data', count)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxied = Object.assign(new URL(databaseUrl), { port: `${(server.address() as AddressInfo).port}` })
  proxied.hostname = '127.0.0.1'
  return {
    databaseUrl: proxied.href,
    read: () => ({ ...sent }),
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Messages are a type, a length that includes itself, and a body. Only the first message has no type. */
function countMessages(sent: Sent): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (;;) {
      const headerLength = isStarted ? 5 : 4
      if (pending.length < headerLength) return
      const length = pending.readUInt32BE(headerLength - 4) + headerLength - 4
      if (pending.length < length) return
      if (isStarted) note(sent, String.fromCharCode(pending[0] as number))
      isStarted = true
      pending = pending.subarray(length)
    }
  }
}

function note(sent: Sent, type: string): void {
  if (type === 'E' || type === 'Q') sent.statements += 1
  if (type === 'P') sent.parsed += 1
  if (type === 'S' || type === 'Q') sent.roundTrips += 1
}
