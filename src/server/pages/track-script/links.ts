import { isWithin, sharesCookies } from './cookie.ts'

/**
 * Adds the referral's id to links to the other domains when they are used. Not before, so that the page's own code finds
 * its links unchanged.
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
  // Links are also opened with the middle button and from the context menu.
  for (const type of ['click', 'auxclick', 'contextmenu']) document.addEventListener(type, decorate, true)
}
