import { randomUUID } from 'node:crypto'
import { getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { safeHeaders } from '../http/safe-headers.ts'
import { errorCodeOf } from '../http/statuses.ts'
import { excerpt } from '../kernel/errors.ts'
import type { RequestState } from './handler.ts'

const maxPathLength = 300

/**
 * Gives every request an id and a logger, and sends the id in the response. A well-formed X-Request-Id of the client is
 * kept, so that the logs of both sides can be correlated.
 */
export function useRequestLog(log: Logger): Plugin<object, RequestState> {
  return {
    onRequest({ request, serverContext }) {
      const clientId = request.headers.get('x-request-id')
      const requestId = clientId && /^[\w.:@/+=-]{1,128}$/.test(clientId) ? clientId : randomUUID()
      Object.assign(serverContext, {
        requestId,
        log: log.child({ requestId }),
        startedAt: performance.now(),
        known: {},
      })
    },
    onParams({ params, context }) {
      if (typeof params.operationName === 'string') noteOperation(context, params.operationName)
    },
    onExecute: ({ args }) =>
      noteOperation(args.contextValue, getOperationAST(args.document, args.operationName)?.name?.value),
    onSubscribe: ({ args }) =>
      noteOperation(args.contextValue, getOperationAST(args.document, args.operationName)?.name?.value),
    onResponse({ request, response, serverContext }) {
      const { requestId, log: requestLog, startedAt, known } = serverContext
      for (const [name, value] of Object.entries(safeHeaders)) response.headers.set(name, value)
      response.headers.set('X-Request-Id', requestId)
      const { pathname } = new URL(request.url)
      const level = pathname === '/healthz' || pathname === '/readyz' ? 'debug' : 'info'
      requestLog[level](
        {
          method: request.method,
          path: excerpt(pathname, maxPathLength),
          status: response.status,
          // Other plugins than the entrance reject requests too.
          errorCode: errorCodeOf(response),
          ...known,
          milliseconds: Math.round(performance.now() - startedAt),
        },
        'request',
      )
    },
  }
}

/** @param context Yoga types it without the server context, which is merged into it */
function noteOperation(context: unknown, name: string | undefined): void {
  if (name) (context as RequestState).known.operation = excerpt(name)
}
