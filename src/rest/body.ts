import { TributaryError } from '../kernel/errors.ts'

type Fields = Record<string, unknown>

/**
 * The fields of a request's body: JSON, or a form read alike. Without a body the content type does not matter.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE; BAD_REQUEST for JSON that is broken or no object
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

/** `a=1` is a value; `a[]=1&a[]=2` and `a=1&a=2` are lists. For queries too. */
export function readForm(text: string): Fields {
  const fields = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(text)) {
    const [, listName] = /^(.+?)\[\d*\]$/.exec(key) ?? []
    const name = listName ?? key
    const earlier = fields.get(name)
    // Lists grow in place: copied at each value, a body of a few hundred thousand would keep the process busy for minutes.
    if (Array.isArray(earlier)) earlier.push(value)
    else if (earlier !== undefined) fields.set(name, [earlier, value])
    else fields.set(name, listName ? [value] : value)
  }
  return Object.fromEntries(fields)
}
