import type { Logger } from 'pino'
import { foldListCountsInBackground } from '../database/list-counts.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { buildCalendarsInBackground } from '../modules/analytics/build-calendars.ts'
import { foldAnalyticsInBackground } from '../modules/analytics/fold.ts'
import { checkDataInBackground } from '../modules/doctor/data-check.ts'
import { deleteOldKeysInBackground } from '../modules/idempotency/sweep.ts'

/**
 * Starts background work on the database, on any number of instances.
 * @returns a function that stops it, and returns when nothing runs any more
 */
export function startBackground(db: PrismaClient, now: () => Date, log: Logger): () => Promise<unknown> {
  const stops = [
    foldAnalyticsInBackground(db, log),
    buildCalendarsInBackground(db, log),
    foldListCountsInBackground(db, log),
    checkDataInBackground(db, now, log),
    deleteOldKeysInBackground(db, now, log),
  ]
  return () => Promise.all(stops.map((stop) => stop()))
}
