import { randomUUID } from 'node:crypto'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import type { RequestState } from './handler.ts'

/**
 * Gives every request an id and a log of its own, and every answer the id. A sane id that the caller sends is taken
 * over, so that the logs of both sides meet.
 */
export function useRequestLog(log: Logger): Plugin<object, RequestState> {
  return {
    onRequest({ request, serverContext }) {
      const sent = request.headers.get('x-request-id')
      const requestId = sent && /^[\w.:@/+=-]{1,128}$/.test(sent) ? sent : randomUUID()
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
          // A secret that somebody put into a link by mistake stays out of the log.
          path: pathname.replace(/trib_sk_\w+/g, 'trib_sk_…'),
          status: response.status,
          milliseconds: Math.round(performance.now() - startedAt),
        },
        'request',
      )
    },
  }
}
