import { acceptedMediaTypes } from '../../../http/accept.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { isRead, pathNotFound } from '../../../http/methods.ts'
import type { Handler } from '../../handler.ts'
import { pageSecurity } from '../security-headers.ts'
import { homePage, notFoundPage } from './page.ts'
import { style } from './style.ts'

const headers = {
  'Cache-Control': 'no-cache',
  ...pageSecurity(["style-src 'self'", 'img-src data:']),
}
const pageHeaders = { ...headers, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' }
const styleSheet = contentOf(style, { ...headers, 'Content-Type': 'text/css; charset=utf-8' })

/** `/` for browsers: the way to the pages. For API clients nothing is there. */
export function createHome(hasDemoShop: () => Promise<boolean>): Handler {
  return async ({ request, url }) => {
    if (url.pathname !== '/' || !isRead(request) || !prefersHtml(request)) return null
    return answerContent(request, contentOf(homePage(await hasDemoShop()), pageHeaders))
  }
}

/** `/home.css`: the style of the pages at `/` and at addresses that do not exist. */
export const answerHomeStyle: Handler = ({ request, url }) =>
  isRead(request) && url.pathname === '/home.css' ? answerContent(request, styleSheet) : null

/** The response for a path that does not exist: a page for browsers, JSON for API clients. */
export function answerNotFound(request: Request, { pathname }: URL): Response {
  if (!isRead(request) || !prefersHtml(request)) return pathNotFound()
  const depth = pathname.split('/').length - 2
  return new Response(notFoundPage('../'.repeat(depth)), {
    status: 404,
    headers: { ...pageHeaders, 'Cache-Control': 'no-store' },
  })
}

/** Whether the client prefers a page to JSON. Clients that accept everything, such as curl, get JSON. */
const prefersHtml = (request: Request) =>
  acceptedMediaTypes(request.headers.get('accept'), ['application/json', 'text/html'])[0] === 'text/html'
