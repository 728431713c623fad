/** First-party cookies on the registrable domain, so that www.acme.com and shop.acme.com read the same. */

const attributes = (expires: Date) =>
  `;path=/;SameSite=Lax;expires=${expires.toUTCString()}${location.protocol === 'https:' ? ';Secure' : ''}`

/** A page in a sandboxed frame may not even ask for its cookies. */
const set = (cookie: string) => {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is there in secure contexts only, and not in time.
    document.cookie = cookie
  } catch {}
}

let domain: string | undefined

/**
 * Only the browser knows which domains are registrable ("co.uk" is not): it is asked, from the broadest down, by setting
 * a cookie there. Where none is taken, as on an IP address, the cookie is the host's own.
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

/** Null also where the cookie can not be read, or is not one of ours: anybody on the domain can write there. */
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

/** Whether a host reads the same cookies as this page. */
export function sharesCookies(host: string): boolean {
  const own = cookieDomain().replace(';domain=', '') || location.hostname
  return isWithin(host, own)
}

export const isWithin = (host: string, domain: string): boolean => `.${host}`.endsWith(`.${domain}`)
