/** Longer than any server may ask for: whoever runs an import should hear of it instead of waiting. */
const longestWaitMs = 5 * 60_000

/**
 * How long a server that limits its rate asks to wait, in milliseconds: by Retry-After, or by RateLimit-Reset, which is
 * seconds from now, a moment in seconds or milliseconds since 1970, or a date. Null where it does not say.
 */
export function askedWaitMs(headers: Headers, now: Date): number | null {
  for (const name of ['retry-after', 'ratelimit-reset', 'x-ratelimit-reset']) {
    const value = headers.get(name)?.trim()
    const waitMs = value ? readWaitMs(value, now) : null
    if (waitMs !== null) return Math.min(Math.max(waitMs, 0), longestWaitMs)
  }
  return null
}

function readWaitMs(value: string, now: Date): number | null {
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value)
    if (number < 1e8) return number * 1000
    return (number < 1e11 ? number * 1000 : number) - now.getTime()
  }
  // A structured header may name the window first: `limit=45, reset=12`.
  const [, seconds] = /(?:^|[;,\s])(?:reset|t)=(\d+)/.exec(value) ?? []
  if (seconds !== undefined) return Number(seconds) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : date - now.getTime()
}

/** Growing pauses between attempts, each of a random length up to its most, so that clients do not come back all at once. */
export const pauseMs = (attempt: number, random: () => number): number =>
  Math.round(Math.min(500 * 2 ** attempt, 30_000) * (0.5 + random() / 2))
