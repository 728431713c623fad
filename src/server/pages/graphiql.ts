import { type BundledPage, createBundledPage } from './bundled-page.ts'

/** GraphiQL, for browsers that open /graphql. */
export const createGraphiql = (): BundledPage =>
  createBundledPage({
    folder: 'graphiql',
    path: 'graphql',
    title: 'Tributary GraphiQL',
    noscript: 'GraphiQL needs JavaScript. The API itself does not: send queries to this address by POST.',
    // No inline scripts. Monaco writes its themes as style elements at run time, so inline styles are allowed; its
    // icons are a data: font.
    allowedSources: [
      "script-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
    ],
    // At the same address, other clients get GraphQL responses.
    headers: { Vary: 'Accept' },
  })
