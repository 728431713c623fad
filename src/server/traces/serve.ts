import type { IncomingMessage, ServerResponse } from 'node:http'
import { getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { redacted } from '../../kernel/log.ts'
import { excerpt } from '../../kernel/text.ts'
import type { Tracing } from './tracing.ts'

const traceHeader = 'X-Trace-Id'

/** What answers requests: of node:http, and those of tests. */
type Answers = {
  fetch(request: Request): Promise<Response>
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** The service with a span for each request, from its arrival until its response is sent. */
export function withTraces<App extends Answers>(app: App, tracing: Tracing): App {
  return {
    ...app,
    fetch: (request) =>
      tracing.request(
        request.method,
        (name) => request.headers.get(name) ?? undefined,
        async ({ traceId, end }) => {
          try {
            const response = await app.fetch(request)
            response.headers.set(traceHeader, traceId)
            return response
          } finally {
            end()
          }
        },
      ),
    handle: (request, response) =>
      tracing.request(
        request.method ?? '',
        (name) => request.headers[name]?.toString(),
        ({ traceId, end }) => {
          response.setHeader(traceHeader, traceId)
          response.once('close', end)
          return app.handle(request, response)
        },
      ),
  }
}

/** A span for each query and mutation of Yoga, named by kind: clients choose the names of operations. */
export const useOperationSpans = (tracing: Tracing): Plugin => ({
  onExecute({ args: { document, operationName }, executeFn, setExecuteFn }) {
    const { operation = 'query', name } = getOperationAST(document, operationName) ?? {}
    setExecuteFn((args) => tracing.operation(operation, namedOperation(operation, name?.value), () => executeFn(args)))
  },
})

export const namedOperation = (type: string, name: string | undefined) => ({
  'graphql.operation.type': type,
  ...(name && { 'graphql.operation.name': redacted(excerpt(name)) }),
})
