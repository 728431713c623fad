import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../database/open.ts'
import { foldListCountsInBackground } from '../../database/upkeep/list-counts.ts'
import { foldMeasuresInBackground } from '../../database/upkeep/measures.ts'
import type { Mailer } from '../../kernel/mail.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { createLastUsed } from '../../modules/access/api-keys/service.ts'
import { finishImports } from '../../modules/affiliates/finish-imports.ts'
import { buildCalendarsInBackground } from '../../modules/analytics/build-calendars.ts'
import { foldAnalyticsInBackground } from '../../modules/analytics/fold.ts'
import { deleteStrayObjects, type Files } from '../../modules/assets/files.ts'
import { checkDataInBackground } from '../../modules/doctor/data-check.ts'
import { createEventUpkeep } from '../../modules/event-log/upkeep.ts'
import { createFailedRequests } from '../../modules/failed-requests/record.ts'
import { deleteOldKeysInBackground } from '../../modules/idempotency/sweep.ts'
import { finishDeletions } from '../../modules/programs/delete.ts'
import { createTracker } from '../../modules/tracking/service.ts'
import { createTargets, type TargetSettings } from '../../modules/webhooks/targets.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { startRepeated } from './repeated.ts'
import { createWorkers, type ServiceSettings } from './workers.ts'

export type WebhookSettings = TargetSettings & {
  key: Buffer
  /** Whether webhooks are sent only when `sendWebhooks` is called, and nothing follows from the clock: for tests. */
  isIdle?: boolean
}

export type BackgroundOptions = {
  /** Without `listen`, webhooks that are sent again start a little later. */
  database: Pick<Database, 'db'> & Partial<Pick<Database, 'listen'>>
  log: Logger
  /** Without it, the process does nothing in the background for events and webhooks. */
  webhooks?: WebhookSettings
  eventRetentionDays?: number
  /** How long visits are kept; for ever by default. */
  visitRetentionDays?: number | undefined
  failedRequestRetentionDays?: number
  /** How long events of feeds are kept; 400 days by default. */
  feedEventRetentionDays?: number
  /** Where the APIs of payout services are; by default the live ones. */
  payoutServiceUrls?: ServiceSettings['urls']
  /** Called before each step of a run that is handed over to a service. Tests stop there. */
  onPayoutStep?: ServiceSettings['onStep']
  /** Without it, the files of assets are in the database. */
  bucket?: Files['bucket']
  /** Without it, the service sends no mail. */
  mailer?: Mailer | undefined
  /** The base URL of the service in mails, without a trailing slash. */
  publicUrl: PublicUrl
}

/** Starts what works beside requests, on any number of instances: folding, checks, webhooks, retention, flushes. */
export function startBackground(options: BackgroundOptions, now: () => Date, onTried: Metrics['tried'] | undefined) {
  const {
    database,
    log,
    mailer,
    publicUrl,
    eventRetentionDays = 90,
    visitRetentionDays,
    failedRequestRetentionDays,
  } = options
  const { db } = database
  const webhooks = options.webhooks ?? { key: randomBytes(32), allowedHosts: [], allowHttp: false, isIdle: true }
  const { key } = webhooks
  const tracker = createTracker(db, log)
  const lastUsed = createLastUsed(db, log)
  const failedRequests = createFailedRequests(db, log, now, failedRequestRetentionDays)
  const targets = createTargets(webhooks)
  const { payoutServiceUrls: urls, onPayoutStep: onStep } = options
  const { listen } = database
  const sending = { key, targets, onTried, mailer, publicUrl, urls, onStep }
  const workers = createWorkers({ db, log, now, listen, ...sending })
  const { feedWorker, webhookWorker, mailWorker, payoutServiceWorker, payoutServices } = workers
  const eventUpkeep = createEventUpkeep({
    db,
    log,
    now,
    retentionDays: eventRetentionDays,
    visitRetentionDays,
    failedRequestRetentionDays,
    feedEventRetentionDays: options.feedEventRetentionDays,
  })
  const stops = [
    foldAnalyticsInBackground(db, log),
    buildCalendarsInBackground(db, log),
    foldListCountsInBackground(db, log),
    foldMeasuresInBackground(db, log),
    checkDataInBackground(db, now, log),
    deleteOldKeysInBackground(db, now, log),
  ]
  if (!webhooks.isIdle) {
    webhookWorker.start()
    feedWorker.start()
    payoutServiceWorker.start()
    mailWorker.start()
    eventUpkeep.start()
    failedRequests.start()
  }
  const files = { db, bucket: options.bucket, now }
  const repeated = webhooks.isIdle ? [] : startRepeated({ ...files, log, publicUrl, key, payoutServices })
  let stopping: Promise<unknown> | undefined
  return {
    tracker,
    lastUsed,
    failedRequests,
    webhooks,
    targets,
    feedWorker,
    payoutServices,
    stop(): void {
      failedRequests.stop()
      eventUpkeep.stop()
      stopping ??= Promise.all([
        webhookWorker.stop(),
        feedWorker.stop(),
        payoutServiceWorker.stop(),
        mailWorker.stop().then(() => mailer?.stop()),
        ...[...stops, ...repeated].map((stop) => stop()),
      ])
    },
    deriveFeeds: () => feedWorker.runOnce(),
    askPayoutServices: () => payoutServiceWorker.runOnce(),
    async sendWebhooks(): Promise<void> {
      await webhookWorker.runOnce()
    },
    deleteStrayObjects: () => deleteStrayObjects(files),
    async sendMails(): Promise<void> {
      await mailWorker.runOnce()
    },
    /** Writes buffered data (last uses of API keys, visits), and finishes imports and deletions that were left. */
    async flush(): Promise<void> {
      if (!stopping) {
        await finishImports(db, now, log).catch((err) => log.warn({ err }, 'could not finish imports'))
        await finishDeletions(db, log).catch((err) => log.warn({ err }, 'could not finish deletions of programs'))
      }
      await stopping
      await lastUsed.flush()
      await failedRequests.flush().catch((err) => log.warn({ err }, 'could not record failed requests'))
      await tracker.flush(now())
    },
  }
}
