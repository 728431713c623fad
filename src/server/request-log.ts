import { randomUUID } from 'node:crypto'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import type { RequestState } from './handler.ts'

/**
 * Gives every request an id and a logger, and sends the id in the response. A well-formed X-Request-Id of the client is
 * kept, so that the logs of both sides can be correlated.
 */
export function useRequestLog(log: Logger): Plugin<object, RequestState> {
  return {
    onRequest({ request, serverContext }) {
      const clientId = request.headers.get('x-request-id')
      const requestId = clientId && /^[\w.:@/+=-]{1,128}$/.test(clientId) ? clientId : randomUUID()
      Object.assign(serverContext, { requestId, log: log.child({ requestId }), startedAt: performance.now() })
    },
    onResponse({ request, response, serverContext }) {
      const { requestId, log: requestLog, startedAt } = serverContext
      response.headers.set('X-Request-Id', requestId)
      const { pathname } = new URL(request.url)
      const level = pathname === '/healthz' || pathname === '/readyz' ? 'debug' : 'info'
      requestLog[level](
        {
          method: request.method,
          // A secret key that was put into a link by mistake must not be logged.
          path: pathname.replace(/trib_sk_\w+/g, 'trib_sk_…'),
          status: response.status,
          milliseconds: Math.round(performance.now() - startedAt),
        },
        'request',
      )
    },
  }
}
