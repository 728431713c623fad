import type { Logger } from 'pino'
import { repeatInBackground } from '../../database/upkeep/background.ts'
import { cutTablesInBackground } from '../../database/upkeep/partitions.ts'
import type { AppDb } from '../../kernel/db.ts'
import { defaultFeedDays, deleteOldFeedEvents } from '../feeds/retention.ts'
import { deleteOldVisits } from '../tracking/retention.ts'
import { deleteOldEvents, deliveryDays } from './retention.ts'
import { sweepClock } from './sweep.ts'

type UpkeepOptions = {
  db: AppDb
  log: Logger
  now: () => Date
  retentionDays: number
  visitRetentionDays?: number | undefined
  failedRequestRetentionDays?: number | undefined
  feedEventRetentionDays?: number | undefined
}

const sweepEveryMs = 15_000
const deleteEveryMs = 600_000

/** In the background, on any instance: sweeps the clock, deletes old events and visits, and adds partitions. */
export function createEventUpkeep(options: UpkeepOptions): { start(): void; stop(): void } {
  const { db, log, now, retentionDays, visitRetentionDays, feedEventRetentionDays = defaultFeedDays } = options
  const daysByTable = {
    events: retentionDays,
    event_states: retentionDays,
    webhook_deliveries: deliveryDays,
    visits: visitRetentionDays,
    failed_requests: options.failedRequestRetentionDays,
  }
  let stops: (() => void)[] = []
  return {
    start() {
      stops = [
        cutTablesInBackground(db, now, log, daysByTable),
        repeatInBackground(() => sweepClock({ db, now, log }), {
          everyMs: sweepEveryMs,
          log,
          failureMessage: 'could not record events of the clock',
        }),
        repeatInBackground(() => deleteOldEvents(db, now(), retentionDays, { log }), {
          everyMs: deleteEveryMs,
          log,
          failureMessage: 'could not delete old events',
        }),
        repeatInBackground(() => deleteOldFeedEvents(db, now(), feedEventRetentionDays), {
          everyMs: deleteEveryMs,
          log,
          failureMessage: 'could not delete old events of feeds',
        }),
        visitRetentionDays === undefined
          ? () => {}
          : repeatInBackground(() => deleteOldVisits(db, now(), visitRetentionDays, log), {
              everyMs: deleteEveryMs,
              log,
              failureMessage: 'could not delete old visits',
            }),
      ]
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}
