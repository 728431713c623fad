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
import { useEntrance } from './entrance.ts'
import { useFieldOrder } from './field-order.ts'
import { useFreshPayouts } from './fresh-payouts.ts'
import { createGraphQL } from './graphql.ts'
import { maskGraphQLError, useErrorExtensions } from './graphql-errors.ts'
import type { RequestState } from './handler.ts'
import { createHealth } from './health.ts'
import { createKeyLimit } from './key-limit.ts'
import { hasValidTarget, rejectTarget } from './malformed.ts'
import { useMediaTypes } from './media-types.ts'
import { createDocs } from './pages/api-reference/serve.ts'
import { createDemoShop, hasDemoProgram } from './pages/demo-shop/serve.ts'
import { answerHomeStyle, createHome } from './pages/home/serve.ts'
import { createPortal } from './pages/portal/serve.ts'
import { answerTrackScript } from './pages/track-script/serve.ts'
import { type PersistedOperations, usePersistedOperationList } from './persisted-operations.ts'
import { usePortalOrigins } from './portal-origins.ts'
import { documentCaches, useQueryLimits } from './query-limits.ts'
import { useQueryParams } from './query-params.ts'
import { createAdmit } from './request-context.ts'
import { useRequestLog } from './request-log.ts'
import { createRest } from './rest.ts'
import { createRoutes } from './routes.ts'
import { createHub, defaultLimits, type SubscriptionLimits } from './subscriptions/hub.ts'
import { useSubscriptions } from './subscriptions/plugin.ts'
import { defaultTracking, type TrackingSettings } from './tracking/settings.ts'
import { createTracking } from './tracking/setup.ts'
import { createTurns } from './turns.ts'

export type AppOptions = {
  /** Without `listen` there are no subscriptions. */
  database: Pick<Database, 'db' | 'ping'> & Partial<Pick<Database, 'listen'>>
  adminToken: string
  /** The base URL of the service for clients, without a trailing slash. */
  publicUrl: () => string
  log: Logger
  tracking?: Partial<TrackingSettings>
  subscriptions?: Partial<SubscriptionLimits>
  /** The origins whose pages may use GraphQL with an affiliate token; none by default. */
  portalOrigins?: readonly string[]
  persistedOperations?: PersistedOperations
  /** For each API key with the superset profile; by default the convention's 45. */
  requestsPer30Seconds?: number
  /** Whether the demo program, if it exists, has a shop to try tracking in. */
  demoShop?: boolean
  /** The only clock. */
  now?: () => Date
}

export type App = {
  /** Handles a request. node:http and the tests use it. */
  fetch(request: Request): Promise<Response>
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Reports "not ready" from now on and ends subscriptions; running requests are finished. */
  stop(): void
  /** Writes buffered data (last uses of API keys, visits) to the database. */
  flush(): Promise<void>
}

/** The whole service: a Yoga server for GraphQL, with all other handlers in front of it. It does not open a port. */
export function createApp(options: AppOptions): App {
  const { database, log, now = () => new Date() } = options
  const { db } = database
  const tracker = createTracker(db, log)
  const lastUsed = createLastUsed(db, log)
  const stopFolding = foldInBackground(db, log)
  const health = createHealth(database.ping)
  const subscriptionLimits = { ...defaultLimits, ...options.subscriptions }
  const hub = createHub(database.listen, subscriptionLimits, log)
  const { checkEveryMs } = subscriptionLimits
  const { publicUrl } = options
  const turns = createTurns()
  const authenticate = createAuthenticate(db, options.adminToken, now)
  const admit = createAdmit({ authenticate, lastUsed, db, now, publicUrl, turns })
  const admitKey = createKeyLimit(options.requestsPer30Seconds ?? 45)
  const docs = createDocs(publicUrl)
  const settings = { ...defaultTracking, ...options.tracking }
  const tracking = createTracking({ db, now, tracker, settings })
  const routes = createRoutes({
    rest: createRest({ admit, admitKey, turns, answerDocument: docs.answerDocument }),
    graphql: createGraphQL({ admit, turns, hub, checkEveryMs }),
    trackingEndpoints: tracking.endpoints,
    trackScript: answerTrackScript,
    redirect: tracking.redirect,
    portal: createPortal({ db, now }),
    docs: docs.handle,
    demoShop: options.demoShop ? createDemoShop({ db, now, trustedProxies: settings.trustedProxies }) : () => null,
    home: createHome(async () => options.demoShop === true && (await hasDemoProgram(db))),
    homeStyle: answerHomeStyle,
    alive: health.alive,
    ready: health.ready,
  })
  const yoga = createYogaServer(routes, options)
  return {
    fetch: async (request) => yoga.fetch(request),
    handle: (request, response) => (hasValidTarget(request) ? yoga(request, response) : rejectTarget(response)),
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

function createYogaServer(routes: ReturnType<typeof createRoutes>, options: AppOptions) {
  const { log, portalOrigins = [], persistedOperations } = options
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
      useRequestLog(log),
      useErrorExtensions(),
      useMediaTypes(),
      useQueryParams(),
      useFieldOrder(),
      ...(persistedOperations ? usePersistedOperationList(persistedOperations) : []),
      useQueryLimits(maskError),
      // Reads the selected fields that the query limits have visited.
      useFreshPayouts(maskError),
      useSubscriptions(),
      usePortalOrigins(portalOrigins),
      useEntrance(routes),
    ],
  })
}
