import { createIsbotFromList, list } from 'isbot'

/** Headless browsers are not treated as bots: sites test in them. Crawlers also send their own name. */
const isListed = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'))

/** Whether isbot lists the client: crawlers, link previews, monitors, scripts. Browsers always send a User-Agent. */
export const isBot = (headers: Headers): boolean => userAgentOf(headers) === '' || isListed(userAgentOf(headers))

export const userAgentOf = (headers: Headers): string => (headers.get('user-agent') ?? '').slice(0, 1_000)

/** Whether a browser only prefetches the page. Nobody has visited it yet. */
export const isPrefetch = (headers: Headers): boolean =>
  /\b(prefetch|prerender|preview)\b/i.test(`${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`)
