import { createHmac } from 'node:crypto'

// What the signatures of webhooks that arrive have in common.

/** How old a signed request may be, and how far ahead. Older ones are replays. */
export const toleranceMs = 5 * 60_000

export const hmac = (secret: string | Buffer, parts: readonly (string | Uint8Array)[], form: 'hex' | 'base64') => {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest(form)
}

/** `t=1,v1=ab,v1=cd` as its values by name. */
export function fieldsOf(header: string, separator: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const part of header.split(separator)) {
    const [name = '', ...value] = part.split('=')
    fields.set(name.trim(), [...(fields.get(name.trim()) ?? []), value.join('=').trim()])
  }
  return fields
}
