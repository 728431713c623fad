import type { Server, ServerResponse } from 'node:http'
import { type Socket, Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A client that just got a response may already be sending its next request, so its connection is not idle yet. */
const restMs = 500
const checkEveryMs = 50
/** A flood of new connections must not keep the server open. */
const acceptMs = 2_000

type Connection = {
  /** Responses to running requests. Outgrown tables of a set would keep some that have ended. */
  responses: ServerResponse[]
  /** How much the client had sent when its last response was complete. More means that a request has begun. */
  bytesAtRest: number
  restsSince: number
}

/** Ends idle connections, and after `cutAfterMs` all. Returns how many requests were cut off. */
export type Drain = (cutAfterMs: number) => Promise<number>

/** To be called before the server handles requests, because it follows its connections and responses. */
export function createDrain(server: Server): Drain {
  const connections = new Map<Socket, Connection>()
  let isDraining = false
  let accepted = 0
  server.on('connection', (socket) => {
    accepted += 1
    connections.set(socket, { responses: [], bytesAtRest: 0, restsSince: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    if (isDraining) response.setHeader('Connection', 'close')
    const connection = connections.get(socket)
    if (!connection) return
    const { responses } = connection
    responses.push(response)
    response.once('close', () => {
      responses.splice(responses.indexOf(response), 1)
      connection.bytesAtRest = socket.bytesRead
      connection.restsSince = performance.now()
    })
  })
  const endIdle = () => {
    const restedSince = performance.now() - restMs
    for (const [socket, { responses, bytesAtRest, restsSince }] of connections) {
      if (responses.length === 0 && socket.bytesRead === bytesAtRest && restsSince < restedSince) socket.destroy()
    }
  }
  /** Clients whose connections wait to be accepted have begun. Node accepts one in each turn of the event loop. */
  const acceptWaiting = async () => {
    const until = performance.now() + acceptMs
    for (let quietTurns = 0; quietTurns < 3 && performance.now() < until; quietTurns += 1) {
      const before = accepted
      await nextTurn()
      if (accepted > before) quietTurns = -1
    }
  }
  return async (cutAfterMs) => {
    isDraining = true
    for (const { responses } of connections.values())
      for (const response of responses) if (!response.headersSent) response.setHeader('Connection', 'close')
    await acceptWaiting()
    let cut = 0
    await new Promise<void>((resolve) => {
      // After the requests that have arrived are read: a busy event loop may be late.
      const checking = setInterval(() => setImmediate(endIdle), checkEveryMs)
      const cutting = setTimeout(() => {
        cut = connections.size
        for (const socket of connections.keys()) socket.destroy()
      }, cutAfterMs)
      // The HTTP server's own close() would cut off responses that are complete here but not yet sent.
      TcpServer.prototype.close.call(server, () => {
        clearInterval(checking)
        clearTimeout(cutting)
        resolve()
      })
      endIdle()
    })
    return cut
  }
}
