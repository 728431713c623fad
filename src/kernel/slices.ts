import { setImmediate as nextTurn } from 'node:timers/promises'

let lastTurn: Promise<unknown> = Promise.resolve()

/** Lets other requests run. Of all that give way, one continues in each turn of the event loop, in order of arrival. */
export function giveWay(): Promise<unknown> {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
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
    if (at > 0) await giveWay()
    for (const result of await handle(items.slice(at, at + sliceSize))) results.push(result)
  }
  return results
}

/** The items as promises that resolve slice by slice. Other requests are handled between two slices. */
export function resolvedInSlices<T>(items: readonly T[]): Promise<T>[] {
  let turn: Promise<unknown> = Promise.resolve()
  return items.map(async (item, index) => {
    if (index > 0 && index % sliceSize === 0) turn = giveWay()
    await turn
    return item
  })
}
