/** First-party cookies on the registrable domain, so that www.acme.com and shop.acme.com share them. */

const attributes = (expires: Date) =>
  `;path=/;SameSite=Lax;expires=${expires.toUTCString()}${location.protocol === 'https:' ? ';Secure' : ''}`

/** Accessing cookies throws in a sandboxed frame. */
const set = (cookie: string) => {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context and is asynchronous.
    document.cookie = cookie
  } catch {}
}

let domain: string | undefined

/**
 * Finds the registrable domain by setting a probe cookie, from the broadest domain down: only the browser knows that
 * "co.uk" is not registrable. If no domain accepts it, as on an IP address, cookies are host-only.
 */
function cookieDomain(): string {
  if (domain !== undefined) return domain
  const labels = location.hostname.split('.')
  for (let count = 1; count <= labels.length; count++) {
    const candidate = `;domain=${labels.slice(-count).join('.')}`
    set(`tributary_probe=1${candidate}${attributes(new Date(Date.now() + 9e3))}`)
    if (readCookie('tributary_probe')) {
      set(`tributary_probe=${candidate}${attributes(new Date(0))}`)
      domain = candidate
      return domain
    }
  }
  domain = ''
  return domain
}

/** Returns null if the cookie is missing, unreadable or malformed: every page on the domain can write cookies. */
export function readCookie(name: string): string | null {
  try {
    const found = `; ${document.cookie}`.split(`; ${name}=`)[1]
    return (found && decodeURIComponent(found.split(';')[0] as string)) || null
  } catch {
    return null
  }
}

/** An empty value removes the cookie. */
export function writeCookie(name: string, value: string, expires: Date): void {
  set(`${name}=${encodeURIComponent(value)}${cookieDomain()}${attributes(value ? expires : new Date(0))}`)
}

/** The domain of the cookies; empty if they are host-only. For cookies that the service sets. */
export const cookieScope = (): string => cookieDomain().replace(';domain=', '')

/** Whether a host shares this page's cookies. */
export function sharesCookies(host: string): boolean {
  return isWithin(host, cookieScope() || location.hostname)
}

export const isWithin = (host: string, domain: string): boolean => `.${host}`.endsWith(`.${domain}`)
