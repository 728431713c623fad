import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { safeHeaders, strictTransport } from '../../http/safe-headers.ts'
import { errorCodeOf } from '../../http/statuses.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { errorResponse } from '../../rest/errors.ts'
import type { Authenticate } from '../authenticate.ts'
import { graphQLErrorResponse } from '../graphql-errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { answerNotFound } from '../pages/home/serve.ts'
import type { RequestLimits } from '../request-limits.ts'
import { logRequest, requestIdOf } from '../request-log.ts'
import { type Route, routeOf } from '../routes.ts'
import { clientAddress } from '../tracking/address.ts'

type KeylessOptions = {
  routes: readonly Route[]
  alive: () => Response
  authenticate: Pick<Authenticate, 'expect'>
  limits: RequestLimits
  requested: Metrics['requested'] | undefined
  trustedProxies: number
  log: Logger
  publicUrl: () => string
}

type Answer = { status: number; headers: Record<string, string>; body: string; errorCode: ErrorCode | undefined }

/** Answers a request of node:http, or calls `otherwise`. */
export type Keyless = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void

/** Deeper paths are left to the ordinary way: the page for what does not exist is kept for each depth. */
const maximumDepth = 10

/**
 * Answers what anybody can ask without a key, and in any number: `/healthz`, paths that do not exist, and keys from an address that
 * has guessed too often. The answers are those of the ordinary way, but cost a small part of it, so that floods slow down nobody.
 */
export function createKeyless(options: KeylessOptions): Keyless {
  const { routes, authenticate, limits, requested, trustedProxies, log, publicUrl } = options
  const kept = new Map<string, Promise<Answer>>()
  const keep = (key: string, make: () => Response) => {
    const answer = kept.get(key) ?? plain(make())
    kept.set(key, answer)
    return answer
  }

  const answer = (request: IncomingMessage, url: URL, requestId: string): Promise<Answer | null> | null => {
    const { method, headers, socket } = request
    const { pathname } = url
    const route = routeOf(routes, pathname)
    const isRead = method === 'GET'
    if (!route) {
      const depth = pathname.split('/').length
      const { accept = null } = headers
      // Headers of clients are not kept.
      if (!isRead || depth > maximumDepth || (accept !== null && !usualAccepts.has(accept))) return null
      const asked = { method, headers: { get: () => accept } } as object as Request
      return keep(`${depth} ${accept}`, () => answerNotFound(asked, url))
    }
    if (pathname === '/healthz' && isRead) return keep('alive', options.alive)
    const { authorization } = headers
    const isOfKey =
      (route.prefix === '/v1' && !pathname.startsWith('/v1/openapi')) || (pathname === '/graphql' && !isRead)
    // Portals on other origins get more headers.
    if (!isOfKey || authorization === undefined || headers.origin !== undefined) return null
    if (authenticate.expect(authorization)) return null
    const given = { get: (name: string) => headers[name]?.toString() ?? null } as object as Headers
    return limits.refusalOf(clientAddress(given, socket, trustedProxies)).then((refusal) => {
      if (!refusal) return null
      const response =
        route.prefix === '/graphql' ? graphQLErrorResponse(refusal, { requestId }) : errorResponse(refusal)
      for (const [name, value] of Object.entries(refusal.headers)) response.headers.set(name, value)
      response.headers.set('Cache-Control', 'no-store')
      return plain(response)
    })
  }

  const send = (response: ServerResponse, { status, headers, body }: Answer, requestId: string) => {
    const transport = publicUrl().startsWith('https:') ? strictTransport : {}
    const own = { 'X-Request-Id': requestId, 'Content-Length': Buffer.byteLength(body) }
    response.writeHead(status, { ...headers, ...transport, ...own }).end(body)
  }

  return (request, response, otherwise) => {
    const startedAt = performance.now()
    const { method = '', url: target = '/' } = request
    const url = new URL(target, 'http://localhost')
    const requestId = requestIdOf(request.headers['x-request-id']?.toString())
    const answering = answer(request, url, requestId)
    if (!answering) return otherwise()
    answering.then((found) => {
      if (!found) return otherwise()
      request.resume()
      send(response, found, requestId)
      const { status, errorCode } = found
      // Those of a flood of guesses are not logged.
      if (status !== 429)
        logRequest(log.child({ requestId }), startedAt, { method, path: url.pathname, status, errorCode })
      const route = routeOf(routes, url.pathname)?.prefix ?? 'other'
      requested?.({ method, route, operation: '', status, seconds: (performance.now() - startedAt) / 1_000 })
    }, otherwise)
  }
}

/** What browsers and clients send for pages and for data. */
const usualAccepts = new Set(['*/*', 'application/json', 'text/html'])

async function plain(response: Response): Promise<Answer> {
  for (const [name, value] of Object.entries(safeHeaders)) response.headers.set(name, value)
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    errorCode: errorCodeOf(response),
  }
}
