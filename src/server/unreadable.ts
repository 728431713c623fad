import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that can not be read as HTTP never reach Yoga. They are answered as all others: in JSON, with a request id. */

const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Instead of Node's own answer, which has no body. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }) => {
    // Into an answer that has begun nothing else can be written.
    if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) return socket.destroy()
    const status = statuses[error.code ?? ''] ?? 400
    const body = JSON.stringify({ error: `${STATUS_CODES[status]}.` })
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

/** Yoga makes an URL of the Host header; of one that makes none, it would answer a stack trace. */
export const hasValidHost = ({ headers }: IncomingMessage): boolean =>
  headers.host === undefined || URL.canParse(`http://${headers.host}/`)

export function rejectHost(response: ServerResponse): void {
  response.writeHead(400, { 'Content-Type': 'application/json', 'X-Request-Id': randomUUID() })
  response.end('{"error":"The Host header is not valid."}')
}
