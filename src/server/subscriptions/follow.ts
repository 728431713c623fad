import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AppDb } from '../../kernel/db.ts'
import {
  type CommittedEvent,
  readCommitted,
  type Snapshot,
  takeSnapshot,
} from '../../modules/event-log/read-committed.ts'

const readEveryMs = 100
const pauseAfterFailureMs = 1_000

export type Follower = {
  /** Reads what was committed until now, and starts to follow the log. @throws if it cannot be read */
  catchUp(): Promise<void>
  /** Stops following the log until the next `catchUp`. */
  stop(): void
}

type FollowOptions = {
  db: AppDb
  log: Logger
  programIds: () => readonly string[]
  onEvent: (event: CommittedEvent) => void
}

/** Follows the log: each commit, on any instance, is seen once, late if the database does not answer. */
export function followLog({ db, log, programIds, onEvent }: FollowOptions): Follower {
  let position: Snapshot | undefined
  let reading: Promise<void> = Promise.resolve()
  let following: AbortController | undefined

  const read = async () => {
    const sql = db.sql
    if (!position) {
      position = await takeSnapshot(sql)
      return
    }
    const { events, now } = await readCommitted(sql, programIds(), position)
    position = now
    for (const event of events) onEvent(event)
  }
  const readInTurn = (): Promise<void> => {
    const result = reading.then(read)
    reading = result.catch(() => {})
    return result
  }
  const follow = async ({ signal }: AbortController) => {
    let isFailing = false
    for (;;) {
      await pause(isFailing ? pauseAfterFailureMs : readEveryMs, undefined, { ref: false })
      if (signal.aborted) return
      const error = await readInTurn().then(
        () => null,
        (err: unknown) => ({ err }),
      )
      if (error && !isFailing) log.warn(error, 'could not read events, trying again')
      if (!error && isFailing) log.info('events can be read again')
      isFailing = error !== null
    }
  }
  return {
    async catchUp() {
      await readInTurn()
      if (following) return
      following = new AbortController()
      void follow(following)
    },
    stop() {
      following?.abort()
      following = undefined
      position = undefined
    },
  }
}
