import { parse, v7, validate, version } from 'uuid'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

let latestMs = -1
let seq = 0

/**
 * A new id, a lower-case UUIDv7 of `at`, so that rows sort by the time they were created. Ids of the same millisecond
 * grow in the order this process minted them.
 */
export function mintId(at: Date): string {
  const msecs = at.getTime()
  // Starts over only in a millisecond later than all before: times may come in any order, and none may repeat a number.
  if (msecs > latestMs) {
    latestMs = msecs
    seq = 0
  } else {
    seq += 1
  }
  return v7({ msecs, seq })
}

/** An id that follows from what it is of: the same moment and the same bytes (16 or more) give the same. */
export function derivedId(at: Date, bytes: Uint8Array): string {
  return v7({ msecs: at.getTime(), random: bytes.subarray(0, 16) })
}

/** The moment that an id of version 7 was minted at, by whomever; null for any other. */
export function momentOfId(id: string): Date | null {
  if (!validate(id) || version(id) !== 7) return null
  const at = parse(id)
    .slice(0, 6)
    .reduce((moment, byte) => moment * 256 + byte, 0)
  return at < Date.UTC(2200) ? new Date(at) : null
}

/** An id as this service writes it: UUIDs are the same in any case (RFC 9562), and some clients write them in capitals. */
export const ownCase = (id: string): string => (form.test(id.toLowerCase()) ? id.toLowerCase() : id)

/** Whether a text has the form of an id as this service writes it; PostgreSQL answers an error for one that has not. */
export function isId(value: string): boolean {
  return form.test(value)
}
