import { TributaryError } from '../../kernel/errors.ts'

/** The key of an `Idempotency-Key` header, quoted or not; null without one. @throws BAD_REQUEST for bad ones */
export function readIdempotencyKey(header: string | null): string | null {
  if (header === null) return null
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
  const key = quoted ?? (header.startsWith('"') ? '' : header)
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new TributaryError('BAD_REQUEST', 'Idempotency-Key must have 1 to 255 visible ASCII characters.')
}
