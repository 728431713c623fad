import { acceptedMediaTypes } from '../../../http/accept.ts'
import type { Answer } from '../../../http/answer.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { type Incoming, isRead } from '../../../http/incoming.ts'
import { pathNotFound } from '../../../http/methods.ts'
import type { Handler } from '../../handler.ts'
import { notFoundPage as affiliateNotFoundPage } from '../join/page.ts'
import { readerOf } from '../join/reader.ts'
import { pageSecurity } from '../security-headers.ts'
import { homePage, notFoundPage } from './page.ts'

const headers = {
  'Cache-Control': 'no-cache',
  ...pageSecurity(["script-src 'self'", "style-src 'self'", "img-src 'self'"]),
}
const pageHeaders = { ...headers, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' }

/** `/` for browsers: the way to the pages. For API clients nothing is there. */
export function createHome(hasDemoShop: () => Promise<boolean>): Handler {
  return async (incoming) => {
    if (incoming.path !== '/' || !isRead(incoming) || !prefersHtml(incoming)) return null
    return answerContent(incoming, contentOf(homePage(await hasDemoShop()), pageHeaders))
  }
}

/** Affiliates and applicants follow links there. They see no pages of the operator. */
const forAffiliates = /^\/(join|portal|mail)(\/|$)/

/** The response for a path that does not exist: a page for browsers, JSON for API clients. */
export function answerNotFound(incoming: Incoming): Answer {
  if (!isRead(incoming) || !prefersHtml(incoming)) return pathNotFound()
  const base = '../'.repeat(incoming.path.split('/').length - 2)
  const answer = { status: 404, headers: { ...pageHeaders, 'Cache-Control': 'no-store' } }
  if (!forAffiliates.test(incoming.path)) return { ...answer, body: notFoundPage(base) }
  return {
    ...answer,
    headers: { ...answer.headers, Vary: 'Accept, Accept-Language' },
    body: affiliateNotFoundPage(readerOf(incoming, ''), base),
  }
}

/** Whether the client prefers a page to JSON. Clients that accept everything, such as curl, get JSON. */
const prefersHtml = (incoming: Incoming) =>
  acceptedMediaTypes(incoming.header('accept'), ['application/json', 'text/html'])[0] === 'text/html'
