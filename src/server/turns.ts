import { unavailable } from '../kernel/errors.ts'

/** Slightly more than the database has connections: enough to use all of them, without a long queue in the pool. */
const maxTurns = 20

/** For requests without a key: clicks, and sign-ins separately. A flood of them leaves the other turns to requests with a key. */
export const maxTurnsWithoutKey = 5

/** After this wait a request fails: the client has probably given up. */
const maxWaitMs = 25_000

export type Turns = {
  /**
   * Waits for a turn. Returns the function that releases it, or null when the wait was too long or was aborted.
   *
   * @param signal aborted when the client has disconnected
   */
  take(signal?: AbortSignal): Promise<(() => void) | null>
  /** As `take`, but null if the request would have to wait. */
  takeNow(): (() => void) | null
}

/**
 * A concurrency limit with a queue, first come first served. Without it, a burst of thousands of requests would time out
 * while waiting for database connections.
 */
export function createTurns(max = maxTurns): Turns {
  const queue = new Set<() => void>()
  let taken = 0
  const release = () => {
    const [next] = queue
    if (next) next()
    else taken -= 1
  }
  const takeNow = () => {
    if (taken >= max) return null
    taken += 1
    return release
  }
  return {
    takeNow,
    take: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(null)
        const turn = takeNow()
        if (turn) return resolve(turn)
        const settle = (turn: typeof release | null) => {
          clearTimeout(timeout)
          signal?.removeEventListener('abort', giveUp)
          queue.delete(start)
          resolve(turn)
        }
        const start = () => settle(release)
        const giveUp = () => settle(null)
        const timeout = setTimeout(giveUp, maxWaitMs)
        signal?.addEventListener('abort', giveUp)
        queue.add(start)
      }),
  }
}

/** @throws UNAVAILABLE when the wait was too long or was aborted */
export async function takeTurn(turns: Turns, signal?: AbortSignal): Promise<() => void> {
  const release = await turns.take(signal)
  if (!release) throw unavailable()
  return release
}

/** @throws UNAVAILABLE when the wait was too long or was aborted */
export async function inTurn<T>(turns: Turns, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const release = await takeTurn(turns, signal)
  try {
    return await run()
  } finally {
    release()
  }
}
