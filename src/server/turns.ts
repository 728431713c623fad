import { unavailable } from '../kernel/errors.ts'

/** A few more than the database has connections: enough to keep it busy, too few to queue up in it. */
const requestsAtWork = 20

/** So many of them may be clicks, and so many sign-ins, which need no key: a flood leaves the others to those who have one. */
export const withoutKeyAtWork = 5

/** Whoever has waited this long is told to come again: the answer would come when nobody listens any more. */
const patienceMs = 25_000

export type Turns = {
  /**
   * Waits for a turn. Gives what has to be called when the work is done, or null for somebody who waited in vain.
   *
   * @param signal says when whoever waits has gone away
   */
  take(signal?: AbortSignal): Promise<(() => void) | null>
}

/**
 * Lets so many requests work at a time and the others wait for their turn, first come first served. A burst of thousands
 * is then answered as fast as the database can, where all at once would time out waiting for its connections.
 */
export function createTurns(atWork = requestsAtWork): Turns {
  const waiting = new Set<() => void>()
  let working = 0
  const release = () => {
    const [next] = waiting
    if (next) next()
    else working -= 1
  }
  return {
    take: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(null)
        if (working < atWork) {
          working += 1
          return resolve(release)
        }
        const called = () => settle(release)
        const settle = (turn: typeof release | null) => {
          clearTimeout(timeout)
          signal?.removeEventListener('abort', left)
          waiting.delete(called)
          resolve(turn)
        }
        const left = () => settle(null)
        const timeout = setTimeout(left, patienceMs)
        signal?.addEventListener('abort', left)
        waiting.add(called)
      }),
  }
}

/** @throws UNAVAILABLE for somebody who waited in vain */
export async function takeTurn(turns: Turns, signal?: AbortSignal): Promise<() => void> {
  const release = await turns.take(signal)
  if (!release) throw unavailable()
  return release
}

/** @throws UNAVAILABLE for somebody who waited in vain */
export async function inTurn<T>(turns: Turns, run: () => Promise<T>): Promise<T> {
  const release = await takeTurn(turns)
  try {
    return await run()
  } finally {
    release()
  }
}
