import { isWithin, sharesCookies } from './cookie.ts'

/**
 * Links to the other domains carry the referral's id from the moment they are used: not before, so that the page's own
 * code finds its links as it wrote them.
 */
export function decorateLinks(domains: readonly string[], referral: () => string | null): void {
  if (domains.length === 0) return
  const decorate = (event: Event) => {
    try {
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]')
      const id = referral()
      if (!link || !id || !/^https?:$/.test(link.protocol) || sharesCookies(link.hostname)) return
      if (!domains.some((domain) => isWithin(link.hostname, domain))) return
      const url = new URL(link.href)
      url.searchParams.set('referral', id)
      link.href = url.href
    } catch {}
  }
  // A link is also opened by the middle button and from its menu.
  for (const type of ['click', 'auxclick', 'contextmenu']) document.addEventListener(type, decorate, true)
}
