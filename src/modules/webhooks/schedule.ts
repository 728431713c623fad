const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The pauses after the first, second, … failed try. The last one repeats. */
const pausesMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs]

/** How long a delivery is tried, and how long an endpoint may fail before it is disabled. */
export const givesUpAfterMs = 72 * hourMs

/** A receiver can ask for a longer pause with `Retry-After`, but for no longer than this. */
const longestRetryAfterMs = 24 * hourMs

/**
 * When to try again, or null. Up to a fifth is added at random, so that failed deliveries spread. The last try is at
 * the end of the three days.
 * @param tries how often it was tried so far, at least once
 * @param retryAfterMs the pause that the receiver asked for
 */
export function nextTry(
  { tries, createdAt }: { tries: number; createdAt: Date },
  now: Date,
  retryAfterMs: number | null,
  random: () => number = Math.random,
): Date | null {
  const pause = (pausesMs[Math.min(tries, pausesMs.length) - 1] as number) * (1 + random() / 5)
  const asked = Math.min(retryAfterMs ?? 0, longestRetryAfterMs)
  const lastTryAt = createdAt.getTime() + givesUpAfterMs
  if (now.getTime() >= lastTryAt) return null
  return new Date(Math.min(now.getTime() + Math.round(Math.max(pause, asked)), lastTryAt))
}

/** Reads `Retry-After`: seconds, or a date. Null without a readable one. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim()
  if (!text) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : null
}
