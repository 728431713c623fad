import { TributaryError } from '../kernel/errors.ts'

type Fields = Record<string, unknown>

/**
 * The fields of a request's body, which is JSON or a form. The content type of an empty body is ignored.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE; BAD_REQUEST for invalid JSON and for JSON that is not an object
 */
export function readFields(body: Uint8Array, contentType: string | null): Fields {
  if (body.byteLength === 0) return {}
  const mediaType = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? ''
  if (mediaType === 'application/x-www-form-urlencoded') return readForm(decode(body))
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return readJson(decode(body))
  throw new TributaryError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as application/json or application/x-www-form-urlencoded.',
  )
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new TributaryError('BAD_REQUEST', 'The body is not valid UTF-8.')
  }
}

function readJson(text: string): Fields {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TributaryError('BAD_REQUEST', 'The body is not valid JSON.')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new TributaryError('BAD_REQUEST', 'The body must be a JSON object.')
  }
  return value as Fields
}

/** Parses a form or a query. `a=1` is a value; `a[]=1&a[]=2` and `a=1&a=2` are lists. */
export function readForm(text: string): Fields {
  const fields = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(text)) {
    const [, listName] = /^(.+?)\[\d*\]$/.exec(key) ?? []
    const name = listName ?? key
    const earlier = fields.get(name)
    // Lists grow in place. Copying them would make a form with hundreds of thousands of values quadratic.
    if (Array.isArray(earlier)) earlier.push(value)
    else if (earlier !== undefined) fields.set(name, [earlier, value])
    else fields.set(name, listName ? [value] : value)
  }
  return Object.fromEntries(fields)
}
