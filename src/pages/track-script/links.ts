import { isWithin, sharesCookies } from './cookie.ts'

/**
 * Adds parameters to links when they are used. Not before, so that the page's own code finds its links unchanged.
 * @param parametersFor the parameters for a link to this host, by name
 */
export function decorateLinks(parametersFor: (host: string) => Record<string, string>): void {
  const decorate = (event: Event) => {
    try {
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]')
      if (!link || !/^https?:$/.test(link.protocol)) return
      const added = Object.entries(parametersFor(link.hostname))
      if (added.length === 0) return
      const url = new URL(link.href)
      for (const [name, value] of added) url.searchParams.set(name, value)
      link.href = url.href
    } catch {}
  }
  // Links are also opened with the middle button and from the context menu.
  for (const type of ['click', 'auxclick', 'contextmenu']) document.addEventListener(type, decorate, true)
}

/** Whether links to a host carry the referral: it is one of these domains, and does not share this page's cookies. */
export const isOtherDomain = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => isWithin(host, domain)) && !sharesCookies(host)

/** Adds the referral to the forms of the page that ask for it, in a hidden field. */
export function fillForms(referral: string | null): void {
  if (!referral) return
  for (const form of document.querySelectorAll('form[data-tributary],form[data-rewardful]')) {
    let field = form.querySelector<HTMLInputElement>('input[name=referral]')
    if (!field) {
      field = document.createElement('input')
      field.type = 'hidden'
      field.name = 'referral'
      form.append(field)
    }
    field.value = referral
  }
}
