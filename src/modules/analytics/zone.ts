/** A day of a local calendar: how many days after 1 January 1970. */
export type Day = number

export const dayMs = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError for a name that the runtime does not know */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, made)
  return made
}

/** Whether a name is of an IANA time zone: no offset, which has no summer time. Source: the runtime's tz database. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** By how many milliseconds a zone's clocks are ahead of UTC at a moment. */
function offsetAt(ms: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(ms)) parts[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}

/** What clocks in the zone show at a moment, as if they showed UTC. */
export const localOf = (ms: number, timeZone: string): number => ms + offsetAt(ms, timeZone)

/** The day that it is in the zone at a moment. */
export const dayOf = (ms: number, timeZone: string): Day => Math.floor(localOf(ms, timeZone) / dayMs)

/** The moment a day begins in the zone. */
export const startOfDay = (day: Day, timeZone: string): number => momentOf(day * dayMs, timeZone)

/**
 * The first moment at which clocks in the zone show a local time, or where they were put forward past it, the moment
 * they were. So days follow on each other without a gap, whatever is done to the clocks at midnight.
 */
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
