import { createHash } from 'node:crypto'
import { memoize } from '../../kernel/memoize.ts'
import { type Day, dayMs, offsetAt } from '../../kernel/time-zone.ts'

/**
 * The days of a time zone for a rollup: `offsets` are minutes from UTC, each until the next of `starts`, from the
 * runtime's tz database. The id follows from the content. Days never go back, even where clocks do. Before `firstYear`,
 * for example, it can differ from the zone, so readers compare it with the times that they need.
 */
export type Calendar = { id: string; starts: number[]; offsets: number[] }

export const utc: Calendar = { id: 'UTC', starts: [], offsets: [0] }

const [firstYear, lastYear] = [1980, 2040]
const minuteMs = 60_000
/** Sales that are not folded yet are known by the quarter of an hour. */
const quarterMs = 15 * minuteMs
const stepMs = 14 * dayMs

export const calendarOf = memoize((timeZone: string): Calendar => {
  const offset = (ms: number) => Math.round(offsetAt(ms, timeZone) / quarterMs) * quarterMs
  const starts: number[] = []
  let current = offset(Date.UTC(firstYear))
  const offsets = [current / minuteMs]
  for (let at = Date.UTC(firstYear); at < Date.UTC(lastYear); at += stepMs) {
    const next = offset(at + stepMs)
    if (next === current) continue
    let [before, after] = [at, at + stepMs]
    while (after - before > quarterMs) {
      const middle = before + Math.floor((after - before) / 2 / quarterMs) * quarterMs
      if (offset(middle) === current) before = middle
      else after = middle
    }
    // If clocks go back to the day before, that day is over nevertheless: its offset holds until the next day begins
    // again.
    const day = Math.floor((after + current - 1) / dayMs)
    starts.push(Math.max(after, Math.floor((after + next) / dayMs) < day ? day * dayMs - next : after))
    offsets.push(next / minuteMs)
    current = next
  }
  if (starts.length === 0 && current === 0) return utc
  const id = createHash('sha256')
    .update(JSON.stringify([starts, offsets]))
    .digest('base64url')
    .slice(0, 22)
  return { id, starts, offsets }
}, 100)

/** The local time in a calendar, as if it were UTC. */
export function localIn({ starts, offsets }: Calendar, ms: number): number {
  const next = starts.findIndex((start) => start > ms)
  return ms + (offsets.at(next) as number) * minuteMs
}

/** The start of a day in a calendar. */
export function dayStartIn({ starts, offsets }: Calendar, day: Day): number {
  for (const [index, offset] of offsets.entries()) {
    const start = Math.max(day * dayMs - offset * minuteMs, starts[index - 1] ?? Number.NEGATIVE_INFINITY)
    if (start < (starts[index] ?? Number.POSITIVE_INFINITY)) return start
  }
  throw new RangeError('a calendar has no end')
}
