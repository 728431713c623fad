/** The schemes that a page must not be sent to: they run code, or show what is on the device. */
const closedSchemes = /^(javascript|data|vbscript|blob|file|about|ftp|wss?|view-source|filesystem):$/

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const isLoopback = ({ protocol, hostname }: URL) => protocol === 'http:' && loopbackHosts.includes(hostname)

/** Whether a client may be sent there: over https, to the own device, or to an application by a scheme of its own. */
export function isAllowedRedirect(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > 1_000 || !URL.canParse(uri) || uri.includes('#')) return false
  const url = new URL(uri)
  if (url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return isLoopback(url)
  return url.protocol === 'https:' || !closedSchemes.test(url.protocol)
}

/** Letter by letter. On the own device any port will do: applications take a free one (RFC 8252, section 7.3). */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true
  if (!URL.canParse(asked)) return false
  const [known, url] = [new URL(registered), new URL(asked)]
  if (!isLoopback(known) || !isLoopback(url)) return false
  known.port = url.port
  return known.href === url.href
}

/** What a person knows the place by: its host, or the scheme of an application on the device. */
export function placeOfRedirect(uri: string): { host: string; isOnDevice: boolean } {
  const url = new URL(uri)
  if (url.protocol === 'https:') return { host: url.host, isOnDevice: false }
  return { host: isLoopback(url) ? url.hostname : url.protocol.slice(0, -1), isOnDevice: true }
}

/** The address with parameters added, as the answer of an authorization request. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
