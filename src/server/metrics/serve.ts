import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { Plugin } from 'graphql-yoga'
import { isRead } from '../../http/methods.ts'
import { unauthenticated } from '../../kernel/errors.ts'
import type { Handler, RequestState } from '../handler.ts'
import type { Metrics } from './metrics.ts'

export const useMetrics = (requested: Metrics['requested']): Plugin<object, RequestState> => ({
  onResponse({ request, response, serverContext: { startedAt, route = 'other', known } }) {
    requested({
      method: request.method,
      route,
      // Clients choose the names of GraphQL operations, so there could be any number.
      operation: route === '/v1' ? (known.operation ?? '') : '',
      status: response.status,
      seconds: (performance.now() - startedAt) / 1000,
    })
  },
})

/** `/metrics` for callers with the token. Without a token, the path does not exist. */
export function createMetricsHandler({ read }: Pick<Metrics, 'read'>, token: string | undefined): Handler {
  return async ({ request, url }) => {
    if (token === undefined || url.pathname !== '/metrics' || !isRead(request)) return null
    if (!isBearer(request.headers.get('authorization'), token)) throw unauthenticated('Invalid metrics token.')
    const { contentType, text } = await read()
    return new Response(text, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } })
  }
}

/** A server for `/metrics` on a separate port. With a token, callers need it there too. */
export function createMetricsServer(read: Metrics['read'], token: string | undefined) {
  return createServer(async (request, response) => {
    const { url = '', method, headers } = request
    if (method !== 'GET' || url.split('?')[0] !== '/metrics') return response.writeHead(404).end()
    if (token !== undefined && !isBearer(headers.authorization ?? null, token))
      return response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end()
    try {
      const { contentType, text } = await read()
      response.writeHead(200, { 'Content-Type': contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const isBearer = (header: string | null, token: string): boolean => {
  const [, given = ''] = /^bearer +(\S+)\s*$/i.exec(header ?? '') ?? []
  return timingSafeEqual(digest(given), digest(token))
}
