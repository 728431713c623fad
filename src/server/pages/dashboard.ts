import { isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { Handler } from '../handler.ts'
import { createBundledPage } from './bundled-page.ts'

/** Files of the page have an extension. Slugs and ids, which are in the addresses of its views, have no dot. */
const isFile = (path: string) => /\.[^/]*$/.test(path)

/** Slugs, ids and names of views have no other characters. */
const isView = (path: string) => /^[\w/-]*$/.test(path)

/** `/dashboard`: the page for people who run programs. Every address below it is a view of it, but sign-in. */
export function createDashboard(signIn: Handler): Handler {
  const page = createBundledPage({
    folder: 'dashboard',
    path: 'dashboard',
    title: 'Dashboard',
    meta: '<meta name="robots" content="noindex">',
    noscript: 'The dashboard needs JavaScript.',
    allowedSources: ["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  })
  return async (incoming, state) => {
    const answer = await signIn(incoming, state)
    if (answer) return answer
    if (isFile(incoming.path)) return isRead(incoming) ? page.answerFile(incoming) : null
    if (!isView(incoming.path)) return null
    return isRead(incoming) ? page.answerPage(incoming) : methodNotAllowed('GET, HEAD')
  }
}
