/** Names of fields whose texts tell nothing about a person, and are no secrets. */
const harmless =
  /(^|_)(id|ids|at|currency|state|type|types|format|method|coupon|page|limit|sort|order|first|last|after|before|since|until|expand)$/
const dates = /^\d{4}-\d\d-\d\d/
const numbers = /^-?\d+(\.\d+)?$/

/** Longer queries and bodies are only measured: to read them would block other requests. In bytes. */
const longest = 8_000

/** What stands in the place of a value. */
const hidden = '…'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[[\]]/g, '')

/** A value without what may be personal or secret. Its form stays, because it explains most failures. */
function shown(name: string, value: unknown, depth = 0): unknown {
  if (depth > 8) return hidden
  if (Array.isArray(value)) return value.map((one) => shown(name, one, depth + 1))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(key, one, depth + 1)]))
  if (typeof value !== 'string' || value === '') return value
  // The document of a GraphQL request: texts in it are as those of other fields.
  if (name === 'query') return value.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g, `"${hidden}"`)
  if (value.includes('@')) return hidden
  return harmless.test(snake(name)) || numbers.test(value) || dates.test(value) || name === 'operationName'
    ? value
    : hidden
}

/** The query of an address, without its question mark; null without one. */
export function shownQuery(search: string): string | null {
  if (search.length > longest) return `${search.length} characters`
  const entries = [...new URLSearchParams(search)].map(([name, value]) => `${name}=${shown(name, value)}`)
  return entries.length === 0 ? null : entries.join('&')
}

/** The body of a request: JSON, or a form as JSON. Null without one. Others, and long ones, are only measured. */
export function shownBody(body: Uint8Array | undefined, contentType: string | null): string | null {
  if (!body || body.length === 0) return null
  if (body.length > longest) return `${body.length} bytes`
  const text = new TextDecoder().decode(body)
  if (contentType?.startsWith('application/x-www-form-urlencoded'))
    return JSON.stringify(shown('', Object.fromEntries(new URLSearchParams(text))), null, 2)
  try {
    return JSON.stringify(shown('', JSON.parse(text)), null, 2)
  } catch {
    return `${body.length} bytes that are not JSON`
  }
}
