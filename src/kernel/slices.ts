import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** While others are active, a pause is so many times as long as the work before it. */
const pauseFactor = 3
/** In milliseconds. A longer pause helps nobody. */
const maxPauseMs = 150

/** How long work pauses for others, in milliseconds. @param workedMs how long it took */
export const pauseAfter = (workedMs: number): number => Math.min(workedMs * pauseFactor, maxPauseMs)

const shortestWorkMs = 1

let othersAreActive = () => false

/** Sets what says whether requests of several programs are active. Without it, work in slices never pauses. */
export function setOthersAreActive(check: () => boolean): void {
  othersAreActive = check
}

let lastTurn: Promise<unknown> = Promise.resolve()

/** Of all that wait for a turn of the event loop, one continues in each turn, in order of arrival. */
export function nextOwnTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
}

let lastPause: Promise<unknown> = Promise.resolve()
let workBegan = performance.eventLoopUtilization()

/**
 * Lets other requests run. While requests of several programs are active, it first pauses for three times as long as
 * this thread has worked since the last pause. Not for use in a transaction, which would hold its locks in the pause.
 */
export function giveWay(): Promise<unknown> {
  lastPause = lastPause.then(async () => {
    const workedMs = performance.eventLoopUtilization(workBegan).active
    if (workedMs >= shortestWorkMs) {
      if (othersAreActive()) await pause(pauseAfter(workedMs))
      workBegan = performance.eventLoopUtilization()
    }
    await nextOwnTurn()
  })
  return lastPause
}

/** How many entries are handled at a time. The embedded database takes about 15 ms of this thread to insert them. */
export const sliceSize = 100

/** Handles a list in slices, between which other requests run. @returns the results, in the order of the list */
export async function inSlices<T, R>(
  items: readonly T[],
  handle: (slice: T[]) => readonly R[] | Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += sliceSize) {
    if (at > 0) await nextOwnTurn()
    for (const result of await handle(items.slice(at, at + sliceSize))) results.push(result)
  }
  return results
}

/** The items as promises that resolve slice by slice. Other requests are handled between two slices. */
export function resolvedInSlices<T>(items: readonly T[]): Promise<T>[] {
  let turn: Promise<unknown> = Promise.resolve()
  return items.map(async (item, index) => {
    if (index > 0 && index % sliceSize === 0) turn = nextOwnTurn()
    await turn
    return item
  })
}
