import { createYoga, type Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import type { GraphQLContext } from '../../graphql/context.ts'
import { answerOf } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'
import type { ReadFrom } from '../../kernel/db.ts'
import { publicSchema } from '../../schema/schema.ts'
import { useOperationNames } from '../entrance/request-log.ts'
import { maskGraphQLError, useErrorExtensions } from '../graphql-errors.ts'
import type { GraphQLState, HandlerAnswer } from '../handler.ts'
import { useDeadline } from '../limits/deadline.ts'
import { useReplicas } from '../operations/replicas.ts'
import { useSubscriptions } from '../subscriptions/plugin.ts'
import { useTransports } from '../subscriptions/transports.ts'
import { useOperationSpans } from '../traces/serve.ts'
import type { Tracing } from '../traces/tracing.ts'
import { useFieldOrder } from './field-order.ts'
import { useFreshPayouts } from './fresh-payouts.ts'
import { useIdempotency } from './idempotency.ts'
import { useKeptIntrospection, type YogaState } from './kept-introspection.ts'
import { useMediaTypes } from './media-types.ts'
import { type PersistedOperations, usePersistedOperationList } from './persisted-operations.ts'
import { documentCaches, useQueryLimits } from './query-limits.ts'
import { useQueryParams } from './query-params.ts'

export type YogaOptions = {
  log: Logger
  persistedOperations: PersistedOperations | undefined
  tracing: Tracing | undefined
  operationMs: number
  readFrom: ReadFrom | undefined
}

/** Responds to a GraphQL request. Its caller is admitted, and its body is read. */
export type YogaServer = (incoming: Incoming, state: GraphQLState) => Promise<HandlerAnswer>

/** GraphQL over HTTP: operations go through all plugins. */
export function createYogaServer({
  log,
  persistedOperations,
  tracing,
  operationMs,
  readFrom,
}: YogaOptions): YogaServer {
  const maskError = maskGraphQLError(log)
  const yoga = createYoga<YogaState, GraphQLContext>({
    schema: publicSchema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    // Yoga's default allows every origin, with credentials.
    cors: false,
    logging: false,
    // The entrance serves GraphiQL, which needs no key.
    graphiql: false,
    batching: false,
    multipart: false,
    // The entrance has read the body within its limit.
    maxRequestBodySize: false,
    extraParamNames: ['documentId'],
    // Yoga returns 200 for every path that ends with its health check path, without a key. No path ends with a space.
    healthCheckEndpoint: ' ',
    maskedErrors: { maskError },
    parserAndValidationCache: documentCaches(),
    context: ({ context }) => context as GraphQLContext,
    plugins: [
      useOperationNames(),
      useErrorExtensions(),
      useMediaTypes(),
      useQueryParams(),
      useFieldOrder(),
      usePersistedOperationList(persistedOperations),
      useResult,
      useQueryLimits(maskError),
      useDeadline(operationMs),
      // Reads the selected fields that the query limits have visited.
      useFreshPayouts(maskError),
      useReplicas(readFrom),
      useIdempotency(maskError),
      useKeptIntrospection(),
      ...(tracing ? [useOperationSpans(tracing)] : []),
      useSubscriptions(),
      useTransports(),
    ],
  })
  return async (incoming, state) => {
    const sent: YogaState['sent'] = {}
    const response = await yoga.fetch(incoming.toRequest(), { ...state, sent })
    if (!sent.bytes) return response
    const { status, headers } = await answerOf(response)
    // It is the length of the empty text.
    delete headers['content-length']
    return { status, headers, body: sent.bytes }
  }
}

/** Takes the result of a query that has run already. */
const useResult: Plugin<object, GraphQLState> = {
  onExecute({ args, setExecuteFn }) {
    const { result } = args.contextValue as unknown as GraphQLState
    if (result) setExecuteFn(() => result)
  },
}
