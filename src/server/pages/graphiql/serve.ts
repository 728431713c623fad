import { createBundledPage } from '../bundled-page.ts'

export type AnswerGraphiql = (request: Request, url: URL) => Promise<Response | null>

/** Answers browsers at /graphql with GraphiQL and its files, which need no key; null for everybody else. */
export function createGraphiql(): AnswerGraphiql {
  const page = createBundledPage({
    folder: 'graphiql',
    path: 'graphql',
    title: 'Tributary GraphiQL',
    noscript: 'GraphiQL needs JavaScript. GraphQL itself does not: POST queries to this address.',
    // Nothing from another origin, no inline script, no frame around it. Monaco writes its themes as style elements
    // while it runs, so styles can not be as strict as scripts; its icons are a data: font.
    contentSecurityPolicy: [
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ],
    // The same address answers GraphQL to those who do not ask for a page.
    headers: { Vary: 'Accept' },
  })
  return async (request, { pathname }) => {
    if (pathname === '/graphql') return asksForPage(request) ? page.answerPage(request) : null
    return pathname.startsWith('/graphql/') ? page.answerFile(request, pathname) : null
  }
}

const asksForPage = (request: Request) => (request.headers.get('accept') ?? '').includes('text/html')
