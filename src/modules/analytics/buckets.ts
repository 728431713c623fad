import { addIntervals, firstDayOf, type Interval, labelOf, yearBefore } from './intervals.ts'
import type { Span } from './range.ts'
import { type Day, dayMs, dayOf, localOf, momentOf, startOfDay } from './zone.ts'

export const comparisons = ['previous_period', 'previous_year'] as const
export type Comparison = (typeof comparisons)[number]

/** A point of a series: the interval it is named after, and what of that is in the range. */
export type Bucket = Span & { first: Day; start: number; label: string }

/** More points than this make no picture. */
export const mostPoints = 1_000

/** The intervals that a range touches, in order, without a gap; null where they are too many. */
export function bucketsOf({ from, to }: Span, interval: Interval, timeZone: string): Bucket[] | null {
  const buckets: Bucket[] = []
  let first = firstDayOf(dayOf(from, timeZone), interval)
  let start = startOfDay(first, timeZone)
  while (start < to) {
    if (buckets.length === mostPoints) return null
    const next = addIntervals(first, interval, 1)
    const end = startOfDay(next, timeZone)
    buckets.push({ first, start, label: labelOf(first, interval), from: Math.max(start, from), to: Math.min(end, to) })
    first = next
    start = end
  }
  return buckets
}

/**
 * What each bucket is compared with: the interval as many before as there are buckets, or the same a year before (of a
 * week, 52 weeks before). Of a bucket that the range cuts, the same part of it by the clocks of the zone.
 */
export function comparedWith(
  buckets: readonly Bucket[],
  interval: Interval,
  comparison: Comparison,
  timeZone: string,
): Span[] {
  return buckets.map((bucket) => {
    const first = earlier(bucket.first, interval, comparison, buckets.length)
    const start = startOfDay(first, timeZone)
    const end = startOfDay(addIntervals(first, interval, 1), timeZone)
    const next = startOfDay(addIntervals(bucket.first, interval, 1), timeZone)
    const moved = (ms: number) => {
      const into = localOf(ms, timeZone) - bucket.first * dayMs
      return Math.min(Math.max(momentOf(first * dayMs + into, timeZone), start), end)
    }
    return {
      from: bucket.from === bucket.start ? start : moved(bucket.from),
      to: bucket.to === next ? end : moved(bucket.to),
    }
  })
}

function earlier(first: Day, interval: Interval, comparison: Comparison, count: number): Day {
  if (comparison === 'previous_period') return addIntervals(first, interval, -count)
  return interval === 'week' ? addIntervals(first, interval, -52) : yearBefore(first)
}
