import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { type Day, dayMs, dayOf, localOf, momentOf, startOfDay } from '../../kernel/time-zone.ts'
import { addIntervals, firstDayOf, type Interval, labelOf, yearBefore } from './intervals.ts'
import type { Span } from './range.ts'

export const comparisons = ['previous_period', 'previous_year'] as const
export type Comparison = (typeof comparisons)[number]

/** An interval of a series. `from` and `to` are the part of it that is in the range. */
export type Bucket = Span & { first: Day; start: number; label: string }

export const maxPoints = 1_000

/** The intervals that overlap a range, in order and without gaps. Null if there are too many. */
export function bucketsOf({ from, to }: Span, interval: Interval, timeZone: string): Bucket[] | null {
  const buckets: Bucket[] = []
  let first = firstDayOf(dayOf(from, timeZone), interval)
  let start = startOfDay(first, timeZone)
  while (start < to) {
    if (buckets.length === maxPoints) return null
    const next = addIntervals(first, interval, 1)
    const end = startOfDay(next, timeZone)
    buckets.push({ first, start, label: labelOf(first, interval), from: Math.max(start, from), to: Math.min(end, to) })
    first = next
    start = end
  }
  return buckets
}

/** The same. @throws INVALID_INPUT if there are too many */
export function readBuckets(span: Span, interval: Interval, timeZone: string): Bucket[] {
  const buckets = bucketsOf(span, interval, timeZone)
  if (buckets) return buckets
  throw invalid([
    problem('interval', `would give more than ${maxPoints} points: choose a longer interval or a shorter range`),
  ])
}

/**
 * The span to compare a bucket with: as many intervals earlier as there are buckets, or a year (52 weeks for a week).
 * If the range cuts a bucket, the same part by local time.
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
    const toEarlier = (ms: number) => {
      const sinceStart = localOf(ms, timeZone) - bucket.first * dayMs
      return Math.min(Math.max(momentOf(first * dayMs + sinceStart, timeZone), start), end)
    }
    return {
      from: bucket.from === bucket.start ? start : toEarlier(bucket.from),
      to: bucket.to === next ? end : toEarlier(bucket.to),
    }
  })
}

function earlier(first: Day, interval: Interval, comparison: Comparison, count: number): Day {
  if (comparison === 'previous_period') return addIntervals(first, interval, -count)
  return interval === 'week' ? addIntervals(first, interval, -52) : yearBefore(first)
}
