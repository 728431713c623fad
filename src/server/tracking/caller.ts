import { isbot } from 'isbot'

/** Crawlers, link previews, monitors and scripts by isbot's list; a browser always says its name. */
export const isBot = (headers: Headers): boolean => isbot(userAgentOf(headers)) || userAgentOf(headers) === ''

export const userAgentOf = (headers: Headers): string => (headers.get('user-agent') ?? '').slice(0, 1_000)

/** A browser that fetches ahead of a click has visited nothing yet. */
export const isPrefetch = (headers: Headers): boolean =>
  /\b(prefetch|prerender|preview)\b/i.test(`${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`)
