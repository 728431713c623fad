import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../database/open.ts'
import { repeatInBackground } from '../../database/upkeep/background.ts'
import { foldListCountsInBackground } from '../../database/upkeep/list-counts.ts'
import { foldMeasuresInBackground } from '../../database/upkeep/measures.ts'
import type { Bucket } from '../../kernel/bucket.ts'
import type { Mailer } from '../../kernel/mail.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { createLastUsed } from '../../modules/access/api-keys/last-used.ts'
import { finishImports } from '../../modules/affiliates/finish-imports.ts'
import { buildCalendarsInBackground } from '../../modules/analytics/build-calendars.ts'
import { foldAnalyticsInBackground } from '../../modules/analytics/fold.ts'
import { expireApplications } from '../../modules/applications/confirm.ts'
import { deleteStrayObjects } from '../../modules/assets/files.ts'
import { releaseAllAccepted } from '../../modules/commissions/terms.ts'
import { checkDataInBackground } from '../../modules/doctor/data-check.ts'
import { createEventUpkeep } from '../../modules/event-log/upkeep.ts'
import { createFailedRequests } from '../../modules/failed-requests/record.ts'
import { createFeedWorker } from '../../modules/feeds/derive/worker.ts'
import { deleteOldKeysInBackground } from '../../modules/idempotency/sweep.ts'
import { writeNotices } from '../../modules/mails/notices.ts'
import { createMailWorker } from '../../modules/mails/worker.ts'
import { createTracker } from '../../modules/tracking/service.ts'
import { createTargets, type TargetSettings } from '../../modules/webhooks/targets.ts'
import { createWebhookWorker } from '../../modules/webhooks/worker.ts'
import type { Metrics } from '../metrics/metrics.ts'

const expireEveryMs = 600_000
const tellEveryMs = 60_000
const deleteObjectsEveryMs = 60_000

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
  /** Without it, the files of assets are in the database. */
  bucket?: Bucket | undefined
  /** Without it, the service sends no mail. */
  mailer?: Mailer | undefined
  /** The base URL of the service in mails, without a trailing slash. */
  publicUrl: PublicUrl
}

/** Starts what works beside requests, on any number of instances: folding, checks, webhooks, retention, flushes. */
export function startBackground(options: BackgroundOptions, now: () => Date, onTried: Metrics['tried'] | undefined) {
  const { database, log, mailer, eventRetentionDays = 90, visitRetentionDays, failedRequestRetentionDays } = options
  const { db } = database
  const webhooks = options.webhooks ?? { key: randomBytes(32), allowedHosts: [], allowHttp: false, isIdle: true }
  const { key } = webhooks
  const tracker = createTracker(db, log)
  const lastUsed = createLastUsed(db, log)
  const failedRequests = createFailedRequests(db, log, now, failedRequestRetentionDays)
  const targets = createTargets(webhooks)
  const feedWorker = createFeedWorker(db, log, now)
  const webhookWorker = createWebhookWorker({ db, log, now, listen: database.listen, key, targets, onTried })
  const mailWorker = createMailWorker({ db, log, now, mailer })
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
    mailWorker.start()
    eventUpkeep.start()
    failedRequests.start()
  }
  const expiring = webhooks.isIdle
    ? () => {}
    : repeatInBackground(() => expireApplications(db, now()), {
        everyMs: expireEveryMs,
        log,
        failureMessage: 'could not expire applications',
      })
  const releasing = webhooks.isIdle
    ? () => {}
    : repeatInBackground(() => releaseAllAccepted({ db, now }), {
        everyMs: expireEveryMs,
        log,
        failureMessage: 'could not release commissions that were held for terms',
      })
  const deletingObjects = webhooks.isIdle
    ? () => {}
    : repeatInBackground(() => deleteStrayObjects({ db, bucket: options.bucket, now }), {
        everyMs: deleteObjectsEveryMs,
        log,
        failureMessage: 'could not delete files in the bucket',
      })
  const telling = webhooks.isIdle
    ? () => {}
    : repeatInBackground(() => writeNotices({ db, now, publicUrl: options.publicUrl, key }), {
        everyMs: tellEveryMs,
        log,
        failureMessage: 'could not write mails to affiliates',
      })
  let stopping: Promise<unknown> | undefined
  return {
    tracker,
    lastUsed,
    failedRequests,
    webhooks,
    targets,
    feedWorker,
    stop(): void {
      failedRequests.stop()
      eventUpkeep.stop()
      stopping ??= Promise.all([
        webhookWorker.stop(),
        feedWorker.stop(),
        mailWorker.stop().then(() => mailer?.stop()),
        expiring(),
        releasing(),
        telling(),
        deletingObjects(),
        ...stops.map((stop) => stop()),
      ])
    },
    deriveFeeds: () => feedWorker.runOnce(),
    async sendWebhooks(): Promise<void> {
      await webhookWorker.runOnce()
    },
    deleteStrayObjects: () => deleteStrayObjects({ db, bucket: options.bucket, now }),
    async sendMails(): Promise<void> {
      await mailWorker.runOnce()
    },
    /** Writes buffered data (last uses of API keys, visits) to the database, and finishes imports that were left. */
    async flush(): Promise<void> {
      if (!stopping) await finishImports(db, now, log).catch((err) => log.warn({ err }, 'could not finish imports'))
      await stopping
      await lastUsed.flush()
      await failedRequests.flush().catch((err) => log.warn({ err }, 'could not record failed requests'))
      await tracker.flush(now())
    },
  }
}
