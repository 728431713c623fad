export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * JSON by RFC 8785: no blanks, and names in the order of their UTF-16 code units. Amounts are texts, so that every
 * program reads them exactly; numbers are small integers.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const object = value as { readonly [name: string]: Json }
  const names = Object.keys(object).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name] as Json)}`).join(',')}}`
}
