import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: IncomingHttpHeaders; body: string }

type Answer = { status?: number; headers?: Record<string, string>; body?: string }

/** `hang` never responds, `reset` resets the connection. */
type Behaviour = Answer | 'hang' | 'reset'

/** A receiver of webhooks on this machine. `answer` decides each response. */
export async function createReceiver(answer: (received: Received) => Behaviour = () => ({})) {
  const received: Received[] = []
  let respond = answer
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') }
      received.push(one)
      const behaviour = respond(one)
      if (behaviour === 'hang') return
      if (behaviour === 'reset') return void request.socket.resetAndDestroy()
      const { status = 200, headers = {}, body = '' } = behaviour
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    /** The bodies that were received, parsed, in the order of their events. */
    events: () => received.map(({ body }) => JSON.parse(body)),
    answerWith(next: typeof answer) {
      respond = next
    },
    /** Closes all connections, also of requests without a response. */
    hangUp: () => server.closeAllConnections(),
    clear: () => received.splice(0),
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
