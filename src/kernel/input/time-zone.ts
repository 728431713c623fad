import { text } from './fields.ts'
import { withWire } from './wire.ts'

/** The name of an IANA time zone. */
export const timeZone = () =>
  withWire(text(64).refine(isTimeZone, { error: 'is not the name of an IANA time zone, such as Europe/Berlin' }), {
    type: 'string',
    maxLength: 64,
    example: 'Europe/Berlin',
  })

/**
 * Whether a name is an IANA time zone. UTC offsets are not, because they have no daylight saving time. Source: the
 * runtime's tz database.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
