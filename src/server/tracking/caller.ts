import { createIsbotFromList, list } from 'isbot'

/**
 * A browser without a window is what a site's own tests run in: that alone makes no bot. Crawlers that use one give
 * their own name too, and are found by that.
 */
const isListed = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'))

/** Crawlers, link previews, monitors and scripts by isbot's list; a browser always says its name. */
export const isBot = (headers: Headers): boolean => userAgentOf(headers) === '' || isListed(userAgentOf(headers))

export const userAgentOf = (headers: Headers): string => (headers.get('user-agent') ?? '').slice(0, 1_000)

/** A browser that fetches ahead of a click has visited nothing yet. */
export const isPrefetch = (headers: Headers): boolean =>
  /\b(prefetch|prerender|preview)\b/i.test(`${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`)
