import { unavailable } from '../errors.ts'

/** A few more than the database has connections: enough to keep it busy, too few to queue up in it. */
const requestsAtWork = 20

/** So many of them may be what needs no key: a flood of clicks leaves the others to those who have one. */
export const trackingAtWork = 5

/** Whoever has waited this long is told to come again: the answer would come when nobody listens any more. */
const patienceMs = 25_000

export type Turns = {
  /** Waits for a turn. Gives what has to be called when the work is done, or null for somebody who waited in vain. */
  take(): Promise<(() => void) | null>
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
    take: () =>
      new Promise((resolve) => {
        if (working < atWork) {
          working += 1
          return resolve(release)
        }
        const called = () => settle(release)
        const settle = (turn: typeof release | null) => {
          clearTimeout(timeout)
          waiting.delete(called)
          resolve(turn)
        }
        const timeout = setTimeout(() => settle(null), patienceMs)
        waiting.add(called)
      }),
  }
}

/** @throws UNAVAILABLE for somebody who waited in vain */
export async function takeTurn(turns: Turns): Promise<() => void> {
  const release = await turns.take()
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
