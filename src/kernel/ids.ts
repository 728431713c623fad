import { parse, v7, validate, version } from 'uuid'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

let latestMs = -1
let seq = 0

/** A lower-case UUIDv7 of `at`: rows sort by creation, ids of one millisecond in the order of this process. */
export function mintId(at: Date): string {
  const msecs = at.getTime()
  // `at` can go back in time, so the sequence restarts only in a millisecond that is later than all before.
  if (msecs > latestMs) {
    latestMs = msecs
    seq = 0
  } else {
    seq += 1
  }
  return v7({ msecs, seq })
}

/** Creates an id from a time and 16 or more bytes. The same time and bytes give the same id. */
export function derivedId(at: Date, bytes: Uint8Array): string {
  return v7({ msecs: at.getTime(), random: bytes.subarray(0, 16) })
}

/** Returns the time in any UUIDv7. Null for any other text. */
export function momentOfId(id: string): Date | null {
  if (!validate(id) || version(id) !== 7) return null
  const at = parse(id)
    .slice(0, 6)
    .reduce((moment, byte) => moment * 256 + byte, 0)
  return at < Date.UTC(2200) ? new Date(at) : null
}

/** The least id of a time: ids of that time and later are not below it. */
export function leastIdOf(at: Date): string {
  const hex = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Converts a UUID to lower case, as this service writes ids: RFC 9562 ignores case. Other text stays unchanged. */
export const ownCase = (id: string): string => (form.test(id.toLowerCase()) ? id.toLowerCase() : id)

/** Whether the text is an id as this service writes it. PostgreSQL rejects other text in a comparison with an id. */
export function isId(value: string): boolean {
  return form.test(value)
}
