import type { Logger } from 'pino'
import { repeatInBackground } from '../../database/background.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import { deleteOldEvents } from './retention.ts'
import { sweepClock } from './sweep.ts'

type KeeperOptions = { db: PrismaClient; log: Logger; now: () => Date; retentionDays: number }

const sweepEveryMs = 15_000
const deleteEveryMs = 600_000

/** Records what follows from the clock, and deletes old events, in the background. Every instance may do it. */
export function createEventKeeper({ db, log, now, retentionDays }: KeeperOptions): { start(): void; stop(): void } {
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
      ]
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}
