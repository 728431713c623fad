import { LRUCache } from 'lru-cache'
import { memoize } from './memoize.ts'

/** A day of a local calendar, as the number of days since 1 January 1970. */
export type Day = number

export const dayMs = 86_400_000

/** @throws RangeError if the runtime does not know the time zone */
const formatOf = memoize(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
  1_000,
)

/** The offset from UTC of a time zone at a time, in milliseconds. */
export function offsetAt(ms: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const known = offsetsOf(timeZone)
  const offset = known.get(ms) ?? computeOffset(ms, timeZone)
  known.set(ms, offset)
  return offset
}

/**
 * The offsets at the last times that were asked for, by zone: computing one takes 10 µs, and series share their days.
 */
const offsetsOf = memoize((_timeZone: string) => new LRUCache<number, number>({ max: 5_000 }), 20)

function computeOffset(ms: number, timeZone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(ms)) parts[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}

/** The local time in the zone at a time, as if it were UTC. */
export const localOf = (ms: number, timeZone: string): number => ms + offsetAt(ms, timeZone)

/** The local day in the zone at a time. */
export const dayOf = (ms: number, timeZone: string): Day => Math.floor(localOf(ms, timeZone) / dayMs)

/** The start of a local day in the zone. */
export const startOfDay = (day: Day, timeZone: string): number => momentOf(day * dayMs, timeZone)

/** The first time with this local time, or the time at which clocks skip it: days have no gaps. */
export function momentOf(local: number, timeZone: string): number {
  if (timeZone === 'UTC') return local
  const offsets = [offsetAt(local - dayMs, timeZone), offsetAt(local + dayMs, timeZone)]
  const candidates = offsets.map((offset) => local - offset).sort((a, b) => a - b)
  const shown = candidates.find((ms) => localOf(ms, timeZone) === local)
  if (shown !== undefined) return shown
  let [before, after] = candidates as [number, number]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localOf(middle, timeZone) >= local) after = middle
    else before = middle
  }
  return after
}
