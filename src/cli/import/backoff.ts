/** A longer wait is cut, so that the command reports the rate limit again instead of hanging. */
const maxWaitMs = 5 * 60_000

/** Milliseconds, from `Retry-After` or `RateLimit-Reset` (seconds, Unix time or date); null without one. */
export function requestedWaitMs(headers: Headers, now: Date): number | null {
  for (const name of ['retry-after', 'ratelimit-reset', 'x-ratelimit-reset']) {
    const value = headers.get(name)?.trim()
    const waitMs = value ? readWaitMs(value, now) : null
    if (waitMs !== null) return Math.min(Math.max(waitMs, 0), maxWaitMs)
  }
  return null
}

function readWaitMs(value: string, now: Date): number | null {
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value)
    if (number < 1e8) return number * 1000
    return (number < 1e11 ? number * 1000 : number) - now.getTime()
  }
  // A structured header has several fields: `limit=45, reset=12`.
  const [, seconds] = /(?:^|[;,\s])(?:reset|t)=(\d+)/.exec(value) ?? []
  if (seconds !== undefined) return Number(seconds) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : date - now.getTime()
}

/** The delay before a retry: exponential backoff with jitter. */
export const backoffMs = (attempt: number, random: () => number): number =>
  Math.round(Math.min(500 * 2 ** attempt, 30_000) * (0.5 + random() / 2))
