import type { IncomingMessage, ServerResponse } from 'node:http'
import { createYoga } from 'graphql-yoga'
import type { Logger } from 'pino'
import type { Database } from '../database/open.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { createLastUsed } from '../modules/access/api-keys/last-used.ts'
import { foldInBackground } from '../modules/analytics/fold.ts'
import { createTracker } from '../modules/tracking/service.ts'
import { publicSchema } from '../schema/schema.ts'
import { createAuthenticate } from './authenticate.ts'
import { type RequestState, useEntrance } from './entrance.ts'
import { useFieldOrder } from './field-order.ts'
import { maskGraphQLError, useErrorExtensions } from './graphql-errors.ts'
import { createHealth } from './health.ts'
import { createKeyLimit } from './key-limit.ts'
import { useMediaTypes } from './media-types.ts'
import { createDocs } from './pages/api-reference/serve.ts'
import { createGraphiql } from './pages/graphiql/serve.ts'
import { createPortal } from './pages/portal/serve.ts'
import { type PersistedOperations, useOperationList } from './persisted-operations.ts'
import { usePortals } from './portal-origins.ts'
import { keptDocuments, useLimits } from './query-limits.ts'
import { useRequestLog } from './request-log.ts'
import { createHub, defaultLimits, type SubscriptionLimits } from './subscriptions/hub.ts'
import { useSubscriptions } from './subscriptions/plugin.ts'
import type { TrackingSettings } from './tracking/options.ts'
import { createVisitorAnswers } from './tracking/visitor.ts'
import { createTurns } from './turns.ts'
import { hasAddress, refuseAddress } from './unreadable.ts'

export type AppOptions = {
  /** Without `listen` there are no subscriptions. */
  database: Pick<Database, 'db' | 'ping'> & Partial<Pick<Database, 'listen'>>
  adminToken: string
  /** The address that clients reach the service at, without a slash at the end. */
  publicUrl: () => string
  log: Logger
  tracking?: Partial<TrackingSettings>
  subscriptions?: Partial<SubscriptionLimits>
  /** The origins whose pages may ask GraphQL, with a token that they were handed; none unless given. */
  portalOrigins?: readonly string[]
  persistedOperations?: PersistedOperations
  /** For each key of the superset profile; the convention's 45 unless given. */
  requestsPer30Seconds?: number
  /** Whether the demo program, where there is one, has a shop to try tracking in. */
  demoShop?: boolean
  /** The only clock. */
  now?: () => Date
}

export type App = {
  /** Answers a request; what node:http serves and what tests call. */
  fetch(request: Request): Promise<Response>
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** From now on not ready; what runs goes on, but for subscriptions, which would have no end. */
  stop(): void
  /** Writes down what is kept in memory. */
  flush(): Promise<void>
}

/** The whole service: one Yoga server that hosts GraphQL, and REST as a gateway over it. It listens to nothing itself. */
export function createApp(options: AppOptions): App {
  const { database, adminToken, publicUrl, log, portalOrigins = [], now = () => new Date() } = options
  const { db } = database
  const tracker = createTracker(db, log)
  const lastUsed = createLastUsed(db, log)
  const maskError = maskGraphQLError(log)
  const stopFolding = foldInBackground(db, log)
  const health = createHealth(database.ping)
  const subscriptionLimits = { ...defaultLimits, ...options.subscriptions }
  const hub = createHub(database.listen, subscriptionLimits, log)
  const yoga = createYoga<RequestState, GraphQLContext>({
    schema: publicSchema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    // Yoga's default lets any origin in with credentials.
    cors: false,
    logging: false,
    // The page is served at the entrance, where it needs no key.
    graphiql: false,
    batching: false,
    extraParamNames: ['documentId'],
    // Yoga answers 200 to whatever ends in its own health check's address, key or not; no address ends in a space.
    healthCheckEndpoint: ' ',
    maskedErrors: { maskError },
    parserAndValidationCache: keptDocuments(),
    context: ({ context }) => context as GraphQLContext,
    plugins: [
      useRequestLog(log),
      useErrorExtensions(),
      useMediaTypes(),
      useFieldOrder(),
      ...(options.persistedOperations ? useOperationList(options.persistedOperations) : []),
      useLimits(maskError),
      useSubscriptions(),
      usePortals(portalOrigins),
      useEntrance({
        authenticate: createAuthenticate(db, adminToken, now),
        lastUsed,
        db,
        now,
        publicUrl,
        health,
        answerDocs: createDocs(publicUrl),
        answerGraphiql: createGraphiql(),
        admitKey: createKeyLimit(options.requestsPer30Seconds ?? 45),
        turns: createTurns(),
        hub,
        checkEveryMs: subscriptionLimits.checkEveryMs,
        answerPortal: createPortal({ db, now }),
        answerVisitor: createVisitorAnswers({ ...options, db, now, tracker }),
      }),
    ],
  })
  return {
    fetch: async (request) => yoga.fetch(request),
    handle: (request, response) => (hasAddress(request) ? yoga(request, response) : refuseAddress(response)),
    stop() {
      health.stop()
      hub.stop()
      stopFolding()
    },
    async flush() {
      await lastUsed.flush()
      await tracker.flush(now())
    },
  }
}
