import { AsyncResource } from 'node:async_hooks'
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Direct } from './direct.ts'
import type { DirectAnswer, DirectRequest } from './request.ts'
import { directWrites } from './rest.ts'

/** Yoga handles larger bodies. In bytes. */
const maximumBody = 20_000

/** Handles a request of node:http directly if possible, else as `ordinary` does. */
export function answerNode(
  direct: Direct,
  request: IncomingMessage,
  response: ServerResponse,
  ordinary: () => void,
): void {
  const proceed = (body: string | null) => {
    const answering = (async () => await direct(requestOf(request, response, body)))()
    answering.then((answer) => {
      if (!answer) return ordinary()
      // What was put back is dropped.
      request.resume()
      send(response, answer)
    }, ordinary)
  }
  if (request.method === 'GET' && !hasBody(request)) proceed(null)
  else if (hasSmallBody(request) && direct.knows(request.headers.authorization ?? null)) {
    const read = () => proceed(peek(request))
    // Events of a request do not belong to its trace by themselves. Binding costs a third of a small query.
    request.once('readable', direct.isTraced ? AsyncResource.bind(read) : read)
  } else ordinary()
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'])

const takesBody = (path = '') => path === '/graphql' || directWrites.has(path)

const hasSmallBody = (request: IncomingMessage) =>
  request.method === 'POST' && takesBody(request.url) && lengthOf(request) > 0 && lengthOf(request) <= maximumBody

/** The whole body, if it has arrived at once. It is put back, so that Yoga can read it. */
function peek(request: IncomingMessage): string | null {
  const chunk = request.read() as Buffer | null
  if (chunk === null) return null
  request.unshift(chunk)
  return chunk.length === lengthOf(request) && isUtf8(chunk) ? chunk.toString() : null
}

const requestOf = (request: IncomingMessage, response: ServerResponse, body: string | null): DirectRequest => ({
  method: request.method ?? '',
  target: request.url ?? '',
  header: (name) => (request.headers[name] as string | undefined) ?? null,
  body: () => body,
  isGone: () => response.destroyed,
  source: request,
})

function send(response: ServerResponse, { status, headers, body }: DirectAnswer): void {
  if (response.destroyed) return
  if (body === null) {
    response.writeHead(status, headers).end()
    return
  }
  const length = Buffer.byteLength(body)
  response.writeHead(status, { ...headers, 'Content-Length': length })
  // Text of ASCII needs no conversion.
  response.end(body, length === body.length ? 'latin1' : 'utf8')
}
