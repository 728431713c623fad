import { TributaryError } from '../kernel/errors.ts'
import { decodeText } from './incoming.ts'

type Fields = Record<string, unknown>

/** A body's fields, JSON or a form. An empty body may have any type. @throws UNSUPPORTED_MEDIA_TYPE; BAD_REQUEST */
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

/** How many fields a form or a query may have; each value of a list is one. */
const maxPairs = 2_000

/** Parses a form or a query. @throws BAD_REQUEST for more than `maxPairs` fields, and for text that is not UTF-8 */
export function readPairs(text: string): URLSearchParams {
  let pairs = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) pairs += 1
  if (pairs > maxPairs) {
    throw new TributaryError('BAD_REQUEST', `A form or a query may have ${maxPairs.toLocaleString('en')} fields.`)
  }
  checkEncoding(text)
  return new URLSearchParams(text)
}

/** Bytes above 7F, as a form encodes them. */
const encodedBytes = /(?:%[89a-f][\da-f])+/gi

/** Where bytes are not UTF-8, `URLSearchParams` would put replacement characters. */
function checkEncoding(text: string): void {
  for (const [bytes] of text.matchAll(encodedBytes)) {
    try {
      decodeURIComponent(bytes)
    } catch {
      const shown = bytes.slice(0, 30)
      throw new TributaryError('BAD_REQUEST', `${shown} is not UTF-8. Encode text as UTF-8: é is %C3%A9.`)
    }
  }
}

/** Limits of a request's JSON, before it is parsed. The largest useful request has 100 entries of ten fields. */
const jsonLimits = {
  /** Objects and lists in each other. */
  depth: 32,
  entries: 2_000,
  fields: 200,
  /** Values in all, those in lists and objects included. */
  values: 10_000,
  /** Objects in all. Each is compared with all fields of its type, of which conditions have dozens. */
  objects: 500,
  /** In characters. */
  fieldName: 200,
} as const

const code = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  list: 0x5b,
  listEnd: 0x5d,
  object: 0x7b,
  objectEnd: 0x7d,
}

const count = (value: number) => value.toLocaleString('en')

/** Parses JSON within `jsonLimits`. @param name of the text in messages: "The body" @throws BAD_REQUEST */
export function parseJson(text: string, name: string): unknown {
  checkSize(text, (problem) => {
    throw new TributaryError('BAD_REQUEST', `${name} ${problem}`)
  })
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message repeats the text.
    throw new TributaryError('BAD_REQUEST', `${name} is not valid JSON.`)
  }
}

/** Reads only what separates values. Text that is not JSON is left to the parser. */
function checkSize(text: string, reject: (problem: string) => never): void {
  let depth = 0
  let values = 0
  let objects = 0
  let nameLength = 0
  // For each open list or object: its parts so far, and how many it may have.
  const parts = [0]
  const most: number[] = [Number.POSITIVE_INFINITY]
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case code.quote: {
        const end = endOfString(text, at)
        nameLength = end - at - 1
        at = end
        break
      }
      case code.colon:
        if (nameLength > jsonLimits.fieldName)
          reject(`has a field whose name is longer than ${jsonLimits.fieldName} characters.`)
        break
      case code.list:
      case code.object: {
        depth += 1
        values += 1
        if (depth > jsonLimits.depth) reject(`is nested more than ${jsonLimits.depth} levels deep.`)
        if (text.charCodeAt(at) === code.object) objects += 1
        parts[depth] = 1
        most[depth] = text.charCodeAt(at) === code.list ? jsonLimits.entries : jsonLimits.fields
        break
      }
      case code.listEnd:
      case code.objectEnd:
        depth = Math.max(depth - 1, 0)
        break
      case code.comma: {
        values += 1
        const own = (parts[depth] ?? 0) + 1
        parts[depth] = own
        if (own <= (most[depth] as number)) break
        if (most[depth] === jsonLimits.fields) reject(`has an object with more than ${jsonLimits.fields} fields.`)
        reject(`has a list with more than ${count(jsonLimits.entries)} entries. Send several requests.`)
      }
    }
    if (objects > jsonLimits.objects) reject(`has more than ${jsonLimits.objects} objects. Send several requests.`)
    if (values > jsonLimits.values) reject(`has more than ${count(jsonLimits.values)} values. Send several requests.`)
  }
}

function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (end === -1) return text.length
  if (text.charCodeAt(end - 1) !== code.backslash) return end
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === code.quote) return at
    if (character === code.backslash) at += 1
  }
  return text.length
}
