import { isRead, methodNotAllowed } from '../../../http/methods.ts'
import type { Handler } from '../../handler.ts'
import { createBundledPage } from '../bundled-page.ts'

/** Files of the page have an extension. Slugs and ids, which are in the addresses of its views, have no dot. */
const isFile = (pathname: string) => /\.[^/]*$/.test(pathname)

/** Slugs, ids and names of views have no other characters. */
const isView = (pathname: string) => /^[\w/-]*$/.test(pathname)

/**
 * `/dashboard`: the page for the people who run programs. Every address below it is a view of the same page, but those
 * of signing in.
 */
export function createDashboard(signIn: Handler): Handler {
  const page = createBundledPage({
    folder: 'dashboard',
    path: 'dashboard',
    title: 'Dashboard',
    meta: '<meta name="robots" content="noindex">',
    noscript: 'The dashboard needs JavaScript.',
    allowedSources: ["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  })
  return async (incoming) => {
    const answer = await signIn(incoming)
    if (answer) return answer
    const { request } = incoming
    const { pathname } = incoming.url
    if (isFile(pathname)) return isRead(request) ? page.answerFile(request, pathname) : null
    if (!isView(pathname)) return null
    return isRead(request) ? page.answerPage(request) : methodNotAllowed('GET, HEAD')
  }
}
