import { randomUUID } from 'node:crypto'
import { getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { mutationNamesOf } from '../../graphql/mutation-names.ts'
import type { Incoming } from '../../http/incoming.ts'
import { shownBody, shownQuery } from '../../kernel/shown-request.ts'
import { excerpt } from '../../kernel/text.ts'
import { differentDuplicate, type FailedRequests } from '../../modules/failed-requests/record.ts'
import type { GraphQLState, KnownOfRequest } from '../handler.ts'

const maxPathLength = 300

/** Notes the operations and mutations of GraphQL for the log. */
export function useOperationNames(): Plugin<object, GraphQLState> {
  return {
    onParams({ params, context }) {
      if (typeof params.operationName === 'string') noteOperation(context, params.operationName)
    },
    onExecute({ args: { contextValue, document, operationName } }) {
      const operation = getOperationAST(document, operationName)
      noteOperation(contextValue, operation?.name?.value, mutationNamesOf(document, operation))
    },
    onSubscribe: ({ args }) =>
      noteOperation(args.contextValue, getOperationAST(args.document, args.operationName)?.name?.value),
  }
}

/** The id that the client has sent, if it is well-formed, else a new one. */
export const requestIdOf = (clientId: string | null | undefined): string =>
  clientId && /^[\w.:@/+=-]{1,128}$/.test(clientId) ? clientId : randomUUID()

type LoggedRequest = KnownOfRequest & { method: string; path: string; status: number }

export function logRequest(log: Logger, startedAt: number, { method, path, status, ...more }: LoggedRequest): void {
  const { problem: _, remark: __, ...known } = more
  const level = ['/healthz', '/readyz', '/metrics'].includes(path) ? 'debug' : 'info'
  const milliseconds = Math.round(performance.now() - startedAt)
  log[level]({ method, path: excerpt(path, maxPathLength), status, milliseconds, ...known }, 'request')
}

/** Failed requests with an API key, and odd repeated reports, are shown to the client's developers. */
export function noteFailure(
  failedRequests: Pick<FailedRequests, 'note'>,
  requestId: string,
  { programId, keyId, errorCode, operation, problem = '', remark, method, path, status }: LoggedRequest,
  incoming: Pick<Incoming, 'search' | 'header'>,
  body: Uint8Array | undefined,
): void {
  const code = errorCode ?? (remark && differentDuplicate)
  if (!programId || !keyId || !code) return
  const sentence = errorCode ? problem : (remark ?? '')
  const request = { method, path, operation: operation ?? null, status, code, problem: sentence, requestId }
  const sent = { query: shownQuery(incoming.search), body: shownBody(body, incoming.header('content-type')) }
  failedRequests.note({ programId, apiKeyId: keyId, ...request, ...sent })
}

/** @param context Yoga types it without the server context, which is merged into it */
function noteOperation(context: unknown, name: string | undefined, mutations: string[] = []): void {
  const { known } = context as GraphQLState
  if (name) known.operation = excerpt(name)
  if (mutations.length > 0) known.mutations = mutations
}
