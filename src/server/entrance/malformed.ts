import { randomUUID } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { safeHeaders } from '../../http/safe-headers.ts'

/** Malformed HTTP requests never reach the entrance. Their responses are like all others: JSON, with a request id. */

const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Milliseconds to send the headers and the request. Node checks at this interval: all late clients end within 30 s. */
export const receivingLimits = { headersTimeout: 10_000, requestTimeout: 28_000, connectionsCheckingInterval: 1_000 }

/** Replaces Node's own response, which has no body. */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }) => {
    // A response that has begun cannot be replaced.
    if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) return socket.destroy()
    endWith(socket, statuses[error.code ?? ''] ?? 400)
  })
  // Without a listener, Node closes the connection without an answer.
  server.on('connect', (_request, socket: Socket) => endWith(socket, 405))
}

function endWith(socket: Socket, status: number): void {
  const body = JSON.stringify({ error: `${STATUS_CODES[status]}.` })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    ...Object.entries(safeHeaders).map(([name, value]) => `${name}: ${value}`),
    ...(status === 405 ? ['Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS'] : []),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

export function rejectTarget(response: ServerResponse): void {
  response.writeHead(400, { 'Content-Type': 'application/json', 'X-Request-Id': randomUUID(), ...safeHeaders })
  response.end(
    '{"error":"The Host header or the address of the request is not valid. Send a path that starts with /."}',
  )
}
