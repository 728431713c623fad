import type { Logger } from 'pino'
import { repeatInBackground } from '../../database/background.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import { deleteOldVisits } from '../tracking/retention.ts'
import { deleteOldEvents } from './retention.ts'
import { sweepClock } from './sweep.ts'

type KeeperOptions = {
  db: PrismaClient
  log: Logger
  now: () => Date
  retentionDays: number
  visitRetentionDays?: number | undefined
}

const sweepEveryMs = 15_000
const deleteEveryMs = 600_000

/** Records what follows from the clock, and deletes old events and visits, in the background. Every instance may do it. */
export function createEventKeeper(options: KeeperOptions): { start(): void; stop(): void } {
  const { db, log, now, retentionDays, visitRetentionDays } = options
  let stops: (() => void)[] = []
  return {
    start() {
      stops = [
        repeatInBackground(() => sweepClock({ db, now, log }), {
          everyMs: sweepEveryMs,
          log,
          failureMessage: 'could not record events of the clock',
        }),
        repeatInBackground(() => deleteOldEvents(db, now(), retentionDays), {
          everyMs: deleteEveryMs,
          log,
          failureMessage: 'could not delete old events',
        }),
        visitRetentionDays === undefined
          ? () => {}
          : repeatInBackground(() => deleteOldVisits(db, now(), visitRetentionDays), {
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
