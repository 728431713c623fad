import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../database/open.ts'
import { createBodyBudget, defaultBodyBytesInAll } from '../http/incoming.ts'
import type { Mailer } from '../kernel/mail.ts'
import { createLastUsed } from '../modules/access/api-keys/last-used.ts'
import { finishImports } from '../modules/affiliates/finish-imports.ts'
import { createEventKeeper } from '../modules/event-log/keeper.ts'
import { createFailedRequests } from '../modules/failed-requests/record.ts'
import type { OidcSettings } from '../modules/people/auth-endpoints.ts'
import { createTracker } from '../modules/tracking/service.ts'
import { createTargets, type TargetSettings } from '../modules/webhooks/targets.ts'
import { createWebhookWorker } from '../modules/webhooks/worker.ts'
import { createAdminTokens } from './admin-tokens.ts'
import { createAuthenticate } from './authenticate.ts'
import { startBackground } from './background.ts'
import { defaultOperationMs } from './deadline.ts'
import { createEntrance, type Entrance } from './entrance.ts'
import { createGraphQL } from './graphql.ts'
import { createHealth } from './health.ts'
import { createKeyLimit } from './key-limit.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createMetricsHandler } from './metrics/serve.ts'
import { createDocs } from './pages/api-reference/serve.ts'
import { createDashboard } from './pages/dashboard/serve.ts'
import { createDemoShop, hasDemoProgram } from './pages/demo-shop/serve.ts'
import { answerHomeStyle, createHome } from './pages/home/serve.ts'
import { createPortal } from './pages/portal/serve.ts'
import { answerTrackScript } from './pages/track-script/serve.ts'
import type { PersistedOperations } from './persisted-operations.ts'
import { createQueries } from './queries.ts'
import { createAdmit } from './request-context.ts'
import { createRequestLimits, defaultRequestLimits, type RequestLimitSettings } from './request-limits.ts'
import { requestedOf } from './requested.ts'
import { createRest } from './rest.ts'
import { createRoutes } from './routes.ts'
import { createSignIn } from './sign-in/serve.ts'
import { createSessions } from './sign-in/sessions.ts'
import { createHub, defaultLimits, type SubscriptionLimits } from './subscriptions/hub.ts'
import { withTraces } from './traces/serve.ts'
import type { Tracing } from './traces/tracing.ts'
import { defaultTracking, type TrackingSettings } from './tracking/settings.ts'
import { createTracking } from './tracking/setup.ts'
import { createFairTurns } from './turns.ts'
import { createYogaServer } from './yoga.ts'

export type AppOptions = {
  /** Without `listen`, webhooks that are sent again start a little later. */
  database: Pick<Database, 'db' | 'ping' | 'pool' | 'readFrom'> & Partial<Pick<Database, 'listen'>>
  adminToken: string
  previousAdminToken?: string | undefined
  /** The base URL of the service for clients, without a trailing slash. */
  publicUrl: () => string
  log: Logger
  tracking?: Partial<TrackingSettings>
  subscriptions?: Partial<SubscriptionLimits>
  /** The origins whose pages may use GraphQL with an affiliate token; by default empty. */
  portalOrigins?: readonly string[]
  persistedOperations?: PersistedOperations
  oidc?: OidcSettings | undefined
  cell?: string | undefined
  /** Without it, the service sends no mail. */
  mailer?: Mailer | undefined
  /** Without it, the process does nothing in the background for events and webhooks. */
  webhooks?: WebhookSettings
  eventRetentionDays?: number
  /** How long visits are kept; for ever by default. */
  visitRetentionDays?: number | undefined
  failedRequestRetentionDays?: number
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

export type WebhookSettings = TargetSettings & {
  key: Buffer
  /** Whether webhooks are sent only when `sendWebhooks` is called, and nothing follows from the clock: for tests. */
  isIdle?: boolean
}

/** The whole service: one entrance, which chooses between a Yoga server for GraphQL and all other handlers. It does not open a port. */
export function createApp(options: AppOptions): App {
  const { database, log, now = () => new Date() } = options
  const { db, readFrom } = database
  const tracker = createTracker(db, log)
  const lastUsed = createLastUsed(db, log)
  const stopBackground = startBackground(db, now, log)
  const health = createHealth(database.ping)
  const subscriptionLimits = { ...defaultLimits, ...options.subscriptions }
  const hub = createHub(db, subscriptionLimits, log)
  const { checkEveryMs } = subscriptionLimits
  const { publicUrl, oidc, mailer } = options
  const turns = createFairTurns()
  options.metrics?.metrics.watchTurns(turns.count)
  const { eventRetentionDays: retentionDays = 90, visitRetentionDays, failedRequestRetentionDays } = options
  const failedRequests = createFailedRequests(db, log, now, failedRequestRetentionDays)
  const webhooks = options.webhooks ?? { key: randomBytes(32), allowedHosts: [], allowHttp: false, isIdle: true }
  const { key } = webhooks
  const isAdminToken = createAdminTokens(options.adminToken, options.previousAdminToken, log)
  const authenticate = createAuthenticate(db, isAdminToken, now, webhooks)
  const targets = createTargets(webhooks)
  const webhookWorker = createWebhookWorker({
    ...{ db, log, now, listen: database.listen, key, targets },
    onTried: options.metrics?.metrics.tried,
  })
  const eventKeeper = createEventKeeper({
    ...{ db, log, now, retentionDays, visitRetentionDays, failedRequestRetentionDays },
  })
  if (!webhooks.isIdle) {
    webhookWorker.start()
    eventKeeper.start()
    failedRequests.start()
  }
  const settings = { ...defaultTracking, ...options.tracking }
  const { trustedProxies } = settings
  const { operationMs = defaultOperationMs, tracing: traces } = options
  const limits = createRequestLimits({ ...defaultRequestLimits, ...options.limits }, options.adminToken)
  const admit = createAdmit({
    ...{ authenticate, lastUsed, db, now, publicUrl, turns, limits, trustedProxies, operationMs },
    bodies: createBodyBudget(options.maxBodyBytesInAll ?? defaultBodyBytesInAll),
    ...{ webhooks: { key, targets }, cell: options.cell, mailer: options.mailer },
  })
  const admitKey = createKeyLimit(options.requestsPer30Seconds ?? 45)
  const docs = createDocs(publicUrl)
  const tracking = createTracking({ db, now, tracker, settings, limitSecret: options.adminToken })
  const sessions = createSessions({ db, key, publicUrl, oidc })
  const { portalOrigins = [], persistedOperations } = options
  const yoga = createYogaServer({ log, persistedOperations, tracing: traces, operationMs, readFrom })
  const queries = createQueries({ yoga, persistedOperations, tracing: traces, readFrom })
  const routes = createRoutes({
    rest: createRest({
      ...{ admit, admitKey, turns, answerDocument: docs.answerDocument, operationMs, tracing: traces, readFrom },
    }),
    graphql: createGraphQL({ db, admit, turns, sessions, hub, checkEveryMs, yoga, queries }),
    trackingEndpoints: tracking.endpoints,
    trackScript: answerTrackScript,
    redirect: tracking.redirect,
    portal: createPortal({ db, now, webhooks }),
    dashboard: createDashboard(createSignIn({ db, key, now, sessions, publicUrl, trustedProxies, oidc, mailer })),
    docs: docs.handle,
    demoShop: options.demoShop
      ? createDemoShop({ db, now, trustedProxies: settings.trustedProxies, limitSecret: options.adminToken })
      : () => null,
    home: createHome(async () => options.demoShop === true && (await hasDemoProgram(db))),
    homeStyle: answerHomeStyle,
    alive: health.alive,
    ready: health.ready,
    metrics: options.metrics ? createMetricsHandler(options.metrics.metrics, options.metrics.token) : () => null,
  })
  const requested = requestedOf(options.metrics?.metrics, traces)
  const entrance = createEntrance({
    ...{ routes, log, publicUrl, portalOrigins, failedRequests, requested, tracing: traces },
  })
  let stopping: Promise<unknown> | undefined
  const app: App = {
    ...entrance,
    stop() {
      health.stop()
      hub.stop()
      failedRequests.stop()
      eventKeeper.stop()
      stopping ??= Promise.all([webhookWorker.stop(), stopBackground(), mailer?.stop()])
    },
    async sendWebhooks() {
      await webhookWorker.runOnce()
    },
    async flush() {
      if (!stopping) await finishImports(db, now, log).catch((err) => log.warn({ err }, 'could not finish imports'))
      await stopping
      await lastUsed.flush()
      await failedRequests.flush().catch((err) => log.warn({ err }, 'could not record failed requests'))
      await tracker.flush(now())
    },
  }
  return traces ? withTraces(app, traces) : app
}
