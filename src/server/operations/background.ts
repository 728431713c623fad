import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../database/open.ts'
import { foldListCountsInBackground } from '../../database/upkeep/list-counts.ts'
import type { Mailer } from '../../kernel/mail.ts'
import { createLastUsed } from '../../modules/access/api-keys/last-used.ts'
import { finishImports } from '../../modules/affiliates/finish-imports.ts'
import { buildCalendarsInBackground } from '../../modules/analytics/build-calendars.ts'
import { foldAnalyticsInBackground } from '../../modules/analytics/fold.ts'
import { checkDataInBackground } from '../../modules/doctor/data-check.ts'
import { createEventKeeper } from '../../modules/event-log/keeper.ts'
import { createFailedRequests } from '../../modules/failed-requests/record.ts'
import { deleteOldKeysInBackground } from '../../modules/idempotency/sweep.ts'
import { createTracker } from '../../modules/tracking/service.ts'
import { createTargets, type TargetSettings } from '../../modules/webhooks/targets.ts'
import { createWebhookWorker } from '../../modules/webhooks/worker.ts'
import type { Metrics } from '../metrics/metrics.ts'

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
  /** Without it, the service sends no mail. */
  mailer?: Mailer | undefined
}

/**
 * Starts what works beside requests, on any number of instances: it folds kept numbers, checks data, sends webhooks, drops
 * what is too old, and writes what requests have buffered.
 */
export function startBackground(options: BackgroundOptions, now: () => Date, onTried: Metrics['tried'] | undefined) {
  const { database, log, mailer, eventRetentionDays = 90, visitRetentionDays, failedRequestRetentionDays } = options
  const { db } = database
  const webhooks = options.webhooks ?? { key: randomBytes(32), allowedHosts: [], allowHttp: false, isIdle: true }
  const { key } = webhooks
  const tracker = createTracker(db, log)
  const lastUsed = createLastUsed(db, log)
  const failedRequests = createFailedRequests(db, log, now, failedRequestRetentionDays)
  const targets = createTargets(webhooks)
  const webhookWorker = createWebhookWorker({ db, log, now, listen: database.listen, key, targets, onTried })
  const eventKeeper = createEventKeeper({
    ...{ db, log, now, retentionDays: eventRetentionDays, visitRetentionDays, failedRequestRetentionDays },
  })
  const stops = [
    foldAnalyticsInBackground(db, log),
    buildCalendarsInBackground(db, log),
    foldListCountsInBackground(db, log),
    checkDataInBackground(db, now, log),
    deleteOldKeysInBackground(db, now, log),
  ]
  if (!webhooks.isIdle) {
    webhookWorker.start()
    eventKeeper.start()
    failedRequests.start()
  }
  let stopping: Promise<unknown> | undefined
  return {
    tracker,
    lastUsed,
    failedRequests,
    webhooks,
    targets,
    stop(): void {
      failedRequests.stop()
      eventKeeper.stop()
      stopping ??= Promise.all([webhookWorker.stop(), mailer?.stop(), ...stops.map((stop) => stop())])
    },
    async sendWebhooks(): Promise<void> {
      await webhookWorker.runOnce()
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
