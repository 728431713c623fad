import { createBodyBudget, defaultBodyBytesInAll } from '../http/incoming.ts'
import { systemClock } from '../modules/programs/clock.ts'
import { createApi } from './api.ts'
import { createAdminTokens } from './entrance/admin-tokens.ts'
import { createAdmit } from './entrance/admit.ts'
import { createAuthenticate } from './entrance/authenticate.ts'
import { createEntrance, type Entrance } from './entrance/entrance.ts'
import { createRoutes } from './entrance/routes.ts'
import { createFeedEndpoint } from './feeds/endpoint.ts'
import { defaultOperationMs } from './limits/deadline.ts'
import { createRequestLimits, defaultRequestLimits } from './limits/rate-limits.ts'
import { createFairTurns } from './limits/turns.ts'
import { createMetricsHandler, createMetricsHint } from './metrics/serve.ts'
import { createOAuth, createOAuthMetadata } from './oauth/serve.ts'
import { startBackground } from './operations/background.ts'
import { createHealth } from './operations/health.ts'
import { type AppOptions, publicUrlOf } from './options.ts'
import { createPages } from './pages/serve.ts'
import { createPayoutServiceEndpoint } from './payout-services/endpoint.ts'
import { createSignIn } from './sign-in/serve.ts'
import { createSessions } from './sign-in/sessions.ts'
import { createHub, defaultLimits } from './subscriptions/hub.ts'
import { withTraces } from './traces/serve.ts'
import { defaultTracking } from './tracking/settings.ts'
import { createTracking } from './tracking/setup.ts'

export type App = Entrance & {
  /** Reports "not ready" from now on and ends subscriptions; running requests are finished. */
  stop(): void
  sendWebhooks(): Promise<void>
  /** Derives from the events of feeds that are due. */
  deriveFeeds(): Promise<void>
  /** Goes on with payout runs that were handed over to services. */
  askPayoutServices(): Promise<void>
  sendMails(): Promise<void>
  /** Deletes files in the bucket that no asset has. */
  deleteStrayObjects(): Promise<void>
  /** Writes buffered data (last uses of API keys, visits) to the database, and finishes imports that were left. */
  flush(): Promise<void>
}

/** The whole service: one entrance, which chooses a handler by the path. It opens no port. */
export function createApp(options: AppOptions): App {
  const { database, log, now = systemClock } = options
  const { db, readFrom } = database
  const { oidc, bucket, mailer, adminToken, portalOrigins = [], portalHosts = new Map(), persistedOperations } = options
  const publicUrl = publicUrlOf(options)
  const { operationMs = defaultOperationMs, tracing: traces, metrics } = options
  const background = startBackground({ ...options, publicUrl }, now, metrics?.metrics.tried)
  const { lastUsed, failedRequests, targets, webhooks, tracker, feedWorker, payoutServices } = background
  const { key } = webhooks
  const health = createHealth(database)
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
  const bodies = createBodyBudget(options.maxBodyBytesInAll ?? defaultBodyBytesInAll)
  const admit = createAdmit({
    authenticate,
    lastUsed,
    db,
    now,
    publicUrl,
    portalOrigins,
    turns,
    limits,
    trustedProxies,
    operationMs,
    bodies,
    shared: {
      webhooks: { key, targets },
      payoutServices,
      cell: options.cell,
      bucket,
      mailer,
      newerVersion: options.newerVersion,
      backups: options.backups,
      freeBytes: options.database.freeBytes,
    },
  })
  const tracking = createTracking({ db, now, tracker, settings, limitSecret: adminToken })
  const sessions = createSessions({ db, key, publicUrl, oidc, passwords: options.passwords })
  const { answerDocument, ...pages } = createPages({
    db,
    now,
    publicUrl,
    webhooks,
    bucket,
    mailEvents: options.mailEvents ?? {},
    trustedProxies,
    limitSecret: adminToken,
    signIn: createSignIn({ db, key, now, sessions, publicUrl, trustedProxies, oidc, mailer, targets }),
    hasDemoShop: options.demoShop === true,
  })
  const routes = createRoutes({
    ...createApi({
      db,
      admit,
      turns,
      sessions,
      hub,
      checkEveryMs,
      log,
      publicUrl,
      answerDocument,
      requestsPer30Seconds: options.requestsPer30Seconds ?? 45,
      persistedOperations,
      tracing: traces,
      operationMs,
      readFrom,
    }),
    oauthMetadata: createOAuthMetadata(publicUrl),
    oauth: createOAuth({ db, key, now, publicUrl, limits, trustedProxies }),
    trackingEndpoints: tracking.endpoints,
    redirect: tracking.redirect,
    feeds: createFeedEndpoint({ db, now, key, bodies, onStored: feedWorker.wake }),
    payoutServices: createPayoutServiceEndpoint({ db, settings: payoutServices, publicUrl, bodies }),
    ...pages,
    alive: health.alive,
    ready: health.ready,
    metrics:
      metrics?.token === undefined
        ? createMetricsHint(metrics !== undefined)
        : createMetricsHandler(metrics.metrics, metrics.token),
  })
  const entrance = createEntrance({
    routes,
    log,
    publicUrl,
    portalOrigins,
    portalHosts,
    failedRequests,
    metrics: metrics?.metrics,
    tracing: traces,
  })
  const { sendWebhooks, deriveFeeds, askPayoutServices, sendMails, deleteStrayObjects, flush } = background
  const app: App = {
    ...entrance,
    stop() {
      health.stop()
      hub.stop()
      background.stop()
    },
    sendWebhooks,
    deriveFeeds,
    askPayoutServices,
    sendMails,
    deleteStrayObjects,
    flush,
  }
  return traces ? withTraces(app, traces) : app
}
