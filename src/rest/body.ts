import { decodeText } from '../http/incoming.ts'
import { parseJson } from '../http/json.ts'
import { readPairs } from '../http/pairs.ts'
import { TributaryError } from '../kernel/errors.ts'

type Fields = Record<string, unknown>

/**
 * A body's fields, JSON or a form. An empty body's content type is ignored.
 * @throws UNSUPPORTED_MEDIA_TYPE; BAD_REQUEST
 */
export function readFields(body: Uint8Array, contentType: string | null): Fields {
  if (body.byteLength === 0) return {}
  const mediaType = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? ''
  if (mediaType === 'application/x-www-form-urlencoded') return readForm(decodeText(body))
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return readJson(decodeText(body))
  throw new TributaryError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as application/json or application/x-www-form-urlencoded.',
  )
}

/** @throws BAD_REQUEST for invalid or too large JSON, and JSON that is not an object */
export function readJson(text: string): Fields {
  if (text.trim() === '') return {}
  const value = parseJson(text, 'The body')
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new TributaryError('BAD_REQUEST', 'The body must be a JSON object.')
  }
  return value as Fields
}

/** Parses a form or a query. `a[]=1&a[]=2` and `a=1&a=2` are lists. @throws BAD_REQUEST for too many fields */
export function readForm(text: string): Fields {
  const fields = new Map<string, string | string[]>()
  for (const [key, value] of readPairs(text)) {
    const [, listName] = /^(.+?)\[\d*\]$/.exec(key) ?? []
    const name = listName ?? key
    const earlier = fields.get(name)
    if (Array.isArray(earlier)) earlier.push(value)
    else if (earlier !== undefined) fields.set(name, [earlier, value])
    else fields.set(name, listName ? [value] : value)
  }
  return Object.fromEntries(fields)
}
