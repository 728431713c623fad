import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { clientGone } from './errors.ts'

/** Work pauses for others after it has used this thread for so long, in milliseconds. */
const sliceMs = 25
/** A pause in proportion to the work before it. So work takes at most 1.4 times as long, however many others wait. */
const pauseShare = 0.4
/** In milliseconds. A longer pause helps nobody. */
const maxPauseMs = 150

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

/** For whom work in slices is done. */
export type Client = { signal?: AbortSignal | undefined }

/**
 * Lets other requests run. While requests of several programs are active, it also pauses after each 25 ms of work, for
 * 0.4 times as long. Not for use in a transaction, which would hold its locks in the pause.
 * @param client for whom the work is done. Without a client, the work continues to its end
 * @throws BAD_REQUEST if the client has gone; DeadlineExceeded
 */
export function giveWay({ signal }: Client = {}): Promise<unknown> {
  lastPause = lastPause.then(async () => {
    const workedMs = performance.eventLoopUtilization(workBegan).active
    if (workedMs >= sliceMs) {
      if (othersAreActive()) await pause(Math.min(workedMs * pauseShare, maxPauseMs))
      workBegan = performance.eventLoopUtilization()
    }
    await nextOwnTurn()
  })
  return signal ? lastPause.then(() => endIfGone(signal)) : lastPause
}

/** @throws BAD_REQUEST if the client has gone; DeadlineExceeded */
export function endIfGone(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  const { reason } = signal
  // The browser's own reason says nothing about who has ended it.
  throw reason === undefined || reason instanceof DOMException ? clientGone() : reason
}

/** How many entries are handled at a time. The embedded database takes about 15 ms of this thread to insert them. */
export const sliceSize = 100

/** Of rows whose insertion runs triggers that write others: counts, and what is found by. */
export const smallSlice = 25

/** Handles a list in slices, between which other requests run. @returns the results, in the order of the list */
export async function inSlices<T, R>(
  items: readonly T[],
  handle: (slice: T[]) => readonly R[] | Promise<readonly R[]>,
  size = sliceSize,
): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await nextOwnTurn()
    for (const result of await handle(items.slice(at, at + size))) results.push(result)
  }
  return results
}

/** Collects items in slices, between which other requests run. Null stands for work without a result. */
export async function collectInSlices<T>(client: Client, items: Iterable<T | null>): Promise<T[]> {
  const collected: T[] = []
  let count = 0
  for (const item of items) {
    if (item !== null) collected.push(item)
    count += 1
    if (count % sliceSize === 0) await giveWay(client)
  }
  return collected
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
