import type { Database } from '../database/open.ts'
import { createBodyBudget, defaultBodyBytesInAll } from '../http/incoming.ts'
import type { OidcSettings } from '../modules/people/auth-endpoints.ts'
import { createAdminTokens } from './entrance/admin-tokens.ts'
import { createAdmit } from './entrance/admit.ts'
import { createAuthenticate } from './entrance/authenticate.ts'
import { createEntrance, type Entrance } from './entrance/entrance.ts'
import { requestedOf } from './entrance/requested.ts'
import { createRoutes } from './entrance/routes.ts'
import { createGraphQL } from './graphql/handler.ts'
import type { PersistedOperations } from './graphql/persisted-operations.ts'
import { createQueries } from './graphql/queries.ts'
import { createYogaServer } from './graphql/yoga.ts'
import { defaultOperationMs } from './limits/deadline.ts'
import { createKeyLimit } from './limits/key-limit.ts'
import { createRequestLimits, defaultRequestLimits, type RequestLimitSettings } from './limits/request-limits.ts'
import { createFairTurns } from './limits/turns.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createMetricsHandler, createMetricsHint } from './metrics/serve.ts'
import { type BackgroundOptions, startBackground } from './operations/background.ts'
import { createHealth } from './operations/health.ts'
import { createPages } from './pages/serve.ts'
import { createRest } from './rest/handler.ts'
import { createSignIn } from './sign-in/serve.ts'
import { createSessions } from './sign-in/sessions.ts'
import { createHub, defaultLimits, type SubscriptionLimits } from './subscriptions/hub.ts'
import { withTraces } from './traces/serve.ts'
import type { Tracing } from './traces/tracing.ts'
import { defaultTracking, type TrackingSettings } from './tracking/settings.ts'
import { createTracking } from './tracking/setup.ts'

export type AppOptions = BackgroundOptions & {
  database: Pick<Database, 'ping' | 'pool' | 'readFrom'>
  adminToken: string
  previousAdminToken?: string | undefined
  /** The base URL of the service for clients, without a trailing slash. */
  publicUrl: () => string
  tracking?: Partial<TrackingSettings>
  subscriptions?: Partial<SubscriptionLimits>
  /** The origins whose pages may use GraphQL with an affiliate token; by default empty. */
  portalOrigins?: readonly string[]
  persistedOperations?: PersistedOperations
  oidc?: OidcSettings | undefined
  cell?: string | undefined
  /** For each API key with the superset profile; by default the convention's 45. */
  requestsPer30Seconds?: number
  /** For each API key and each address; by default only failed authentication is limited. */
  limits?: Partial<RequestLimitSettings>
  /** How many bytes of larger request bodies are held at a time; by default 64 MiB. */
  maxBodyBytesInAll?: number
  /** How long an operation of REST or GraphQL may take, in milliseconds. */
  operationMs?: number
  /** Whether the demo program, if it exists, has a shop to try tracking in. */
  demoShop?: boolean
  /** Counters for `/metrics`, which exists only with the token. */
  metrics?: { metrics: Metrics; token: string | undefined }
  /** Spans of requests and operations. The database has its own: see `openDatabase`. */
  tracing?: Tracing | undefined
  /** The only clock. */
  now?: () => Date
}

export type App = Entrance & {
  /** Reports "not ready" from now on and ends subscriptions; running requests are finished. */
  stop(): void
  sendWebhooks(): Promise<void>
  /** Writes buffered data (last uses of API keys, visits) to the database, and finishes imports that were left. */
  flush(): Promise<void>
}

/** The whole service: one entrance, which chooses between a Yoga server for GraphQL and all other handlers. It does not open a port. */
export function createApp(options: AppOptions): App {
  const { database, log, now = () => new Date() } = options
  const { db, readFrom } = database
  const { publicUrl, oidc, mailer, adminToken, portalOrigins = [], persistedOperations } = options
  const { operationMs = defaultOperationMs, tracing: traces, metrics } = options
  const background = startBackground(options, now, metrics?.metrics.tried)
  const { lastUsed, failedRequests, targets, webhooks, tracker } = background
  const { key } = webhooks
  const health = createHealth(database.ping)
  const subscriptionLimits = { ...defaultLimits, ...options.subscriptions }
  const hub = createHub(db, subscriptionLimits, log)
  const { checkEveryMs } = subscriptionLimits
  const turns = createFairTurns()
  metrics?.metrics.watchTurns(turns.count)
  const isAdminToken = createAdminTokens(adminToken, options.previousAdminToken, log)
  const authenticate = createAuthenticate(db, isAdminToken, now, webhooks)
  const settings = { ...defaultTracking, ...options.tracking }
  const { trustedProxies } = settings
  const limits = createRequestLimits({ ...defaultRequestLimits, ...options.limits }, adminToken)
  const admit = createAdmit({
    ...{ authenticate, lastUsed, db, now, publicUrl, turns, limits, trustedProxies, operationMs },
    bodies: createBodyBudget(options.maxBodyBytesInAll ?? defaultBodyBytesInAll),
    ...{ webhooks: { key, targets }, cell: options.cell, mailer },
  })
  const admitKey = createKeyLimit(options.requestsPer30Seconds ?? 45)
  const tracking = createTracking({ db, now, tracker, settings, limitSecret: adminToken })
  const sessions = createSessions({ db, key, publicUrl, oidc })
  const yoga = createYogaServer({ log, persistedOperations, tracing: traces, operationMs, readFrom })
  const queries = createQueries({ yoga, persistedOperations, tracing: traces, readFrom })
  const { answerDocument, ...pages } = createPages({
    ...{ db, now, publicUrl, webhooks, trustedProxies, limitSecret: adminToken },
    signIn: createSignIn({ db, key, now, sessions, publicUrl, trustedProxies, oidc, mailer }),
    hasDemoShop: options.demoShop === true,
  })
  const routes = createRoutes({
    rest: createRest({ admit, admitKey, turns, answerDocument, operationMs, tracing: traces, readFrom }),
    graphql: createGraphQL({ db, admit, turns, sessions, hub, checkEveryMs, yoga, queries }),
    trackingEndpoints: tracking.endpoints,
    redirect: tracking.redirect,
    ...pages,
    alive: health.alive,
    ready: health.ready,
    metrics:
      metrics?.token === undefined
        ? createMetricsHint(isAdminToken)
        : createMetricsHandler(metrics.metrics, metrics.token),
  })
  const requested = requestedOf(metrics?.metrics, traces)
  const entrance = createEntrance({
    ...{ routes, log, publicUrl, portalOrigins, failedRequests, requested, tracing: traces },
  })
  const { sendWebhooks, flush } = background
  const app: App = {
    ...entrance,
    stop() {
      health.stop()
      hub.stop()
      background.stop()
    },
    sendWebhooks,
    flush,
  }
  return traces ? withTraces(app, traces) : app
}
