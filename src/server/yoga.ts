import { createYoga, type Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import type { ReadFrom } from '../database/read-from.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import type { FailedRequests } from '../modules/failed-requests/record.ts'
import { publicSchema } from '../schema/schema.ts'
import { useDeadline } from './deadline.ts'
import { useEntrance } from './entrance.ts'
import { useFieldOrder } from './field-order.ts'
import { useFreshPayouts } from './fresh-payouts.ts'
import { maskGraphQLError, useErrorExtensions } from './graphql-errors.ts'
import type { RequestState } from './handler.ts'
import { useIdempotency } from './idempotency.ts'
import { useKeptIntrospection } from './kept-introspection.ts'
import { useMediaTypes } from './media-types.ts'
import type { Metrics } from './metrics/metrics.ts'
import { useMetrics } from './metrics/serve.ts'
import { type PersistedOperations, usePersistedOperationList } from './persisted-operations.ts'
import { usePortalOrigins } from './portal-origins.ts'
import { documentCaches, useQueryLimits } from './query-limits.ts'
import { useQueryParams } from './query-params.ts'
import { useReplicas } from './replicas.ts'
import { useRequestLog } from './request-log.ts'
import type { Route } from './routes.ts'
import { useSubscriptions } from './subscriptions/plugin.ts'
import { useOperationSpans } from './traces/serve.ts'
import type { Tracing } from './traces/tracing.ts'

export type YogaOptions = {
  routes: readonly Route[]
  failedRequests: FailedRequests
  /** Learns the queries that can be answered directly. */
  learnQueries: Plugin
  log: Logger
  publicUrl: () => string
  portalOrigins: readonly string[]
  persistedOperations: PersistedOperations | undefined
  requested: Metrics['requested'] | undefined
  tracing: Tracing | undefined
  operationMs: number
  readFrom: ReadFrom | undefined
}

/** The one HTTP server: the entrance chooses the handler of a request, and GraphQL operations go through all plugins. */
export function createYogaServer({
  routes,
  failedRequests,
  learnQueries,
  log,
  publicUrl,
  portalOrigins,
  persistedOperations,
  requested,
  tracing,
  operationMs,
  readFrom,
}: YogaOptions) {
  const maskError = maskGraphQLError(log)
  return createYoga<RequestState, GraphQLContext>({
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
      useRequestLog(log, failedRequests, publicUrl, tracing),
      ...(requested ? [useMetrics(requested)] : []),
      useErrorExtensions(),
      useMediaTypes(),
      useQueryParams(),
      useFieldOrder(),
      ...(persistedOperations ? usePersistedOperationList(persistedOperations) : []),
      // Learns the document of the client, before its variables are coerced.
      learnQueries,
      useQueryLimits(maskError),
      useDeadline(operationMs),
      // Reads the selected fields that the query limits have visited.
      useFreshPayouts(maskError),
      useReplicas(readFrom),
      useIdempotency(maskError),
      useKeptIntrospection(),
      ...(tracing ? [useOperationSpans(tracing)] : []),
      useSubscriptions(),
      usePortalOrigins(portalOrigins),
      useEntrance(routes),
    ],
  })
}
