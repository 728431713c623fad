import { createIsbotFromList, list } from 'isbot'
import type { Incoming } from '../../http/incoming.ts'

/** Headless browsers are not treated as bots: sites test in them. Crawlers also send their own name. */
const isListed = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'))

/** Whether isbot lists the client: crawlers, link previews, monitors, scripts. Browsers always send a User-Agent. */
export const isBot = (incoming: Incoming): boolean => userAgentOf(incoming) === '' || isListed(userAgentOf(incoming))

export const userAgentOf = (incoming: Incoming): string => (incoming.header('user-agent') ?? '').slice(0, 1_000)

/** Whether a browser only prefetches the page. Nobody has visited it yet. */
export const isPrefetch = (incoming: Incoming): boolean =>
  /\b(prefetch|prerender|preview)\b/i.test(
    `${incoming.header('sec-purpose') ?? ''} ${incoming.header('purpose') ?? ''}`,
  )
