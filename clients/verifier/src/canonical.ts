export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

/** JSON by RFC 8785. Statements have no numbers but small integers, which JavaScript writes as the RFC says. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const object = value as JsonObject
  const names = Object.keys(object).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(object[name] as Json)}`).join(',')}}`
}
