/** Of an Authorization header. For `Basic`, the colon may be missing: the password is then empty. */
export type Credentials = { scheme: 'bearer'; token: string } | { scheme: 'basic'; user: string; password: string }

const form = /^(basic|bearer) +(\S+)\s*$/i

export const hasCredentials = (header: string): boolean => form.test(header)

/** Null for a header of another form. */
export function readCredentials(header: string | null): Credentials | null {
  const [, scheme, text] = form.exec(header ?? '') ?? []
  if (!scheme || !text) return null
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', token: text }
  const [, user = '', password = ''] = /^([^:]*):?([^]*)$/.exec(Buffer.from(text, 'base64').toString('utf8')) ?? []
  return { scheme: 'basic', user, password }
}
