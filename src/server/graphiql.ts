import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPackageRoot } from '../database/package-root.ts'
import { icon } from '../docs/page.ts'
import { type Assets, answerAsset, assetsOf } from '../http/assets.ts'
import { answerContent, contentOf } from '../http/conditional.ts'

/**
 * Nothing from another origin, no inline script, no frame around it. Monaco writes its themes as style elements while it
 * runs, so styles can not be as strict as scripts; its icons are a data: font.
 */
const contentSecurityPolicy = [
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
].join('; ')

const security = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

export type AnswerGraphiql = (request: Request, url: URL) => Promise<Response | null>

/** Answers browsers at /graphql with GraphiQL and its files, which need no key; null for everybody else. */
export function createGraphiql(): AnswerGraphiql {
  let assets: Promise<Assets> | undefined
  const theAssets = () => {
    assets ??= readAssets()
    return assets
  }
  return async (request, { pathname }) => {
    if (pathname === '/graphql') return asksForPage(request) ? answerPage(request, (await theAssets()).version) : null
    return pathname.startsWith('/graphql/') ? answerAsset(request, pathname, await theAssets(), security) : null
  }
}

const asksForPage = (request: Request) => (request.headers.get('accept') ?? '').includes('text/html')

/** What scripts/build.mjs made of src/graphiql-page, some megabytes: read once, when somebody first asks for it. */
async function readAssets(): Promise<Assets> {
  const folder = join(findPackageRoot(), 'dist', 'graphiql')
  const contents = new Map<string, Uint8Array>([['icon.svg', Buffer.from(icon)]])
  for (const name of await readdir(folder)) contents.set(name, await readFile(join(folder, name)))
  return assetsOf(contents)
}

function answerPage(request: Request, version: string): Response {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    // The same address answers GraphQL to those who do not ask for a page.
    Vary: 'Accept',
    ...security,
  }
  return answerContent(request, contentOf(page(`graphql/${version}`), headers))
}

/**
 * The frame of the page; src/graphiql-page fills it. Every address in it is relative, so that it works below a path of a
 * proxy too.
 *
 * @param assets where its files are, seen from the page
 */
const page = (assets: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Tributary GraphiQL</title>
    <link rel="icon" type="image/svg+xml" href="${assets}/icon.svg">
    <link rel="stylesheet" href="${assets}/page.css">
    <script type="module" src="${assets}/page.js"></script>
  </head>
  <body>
    <div id="page"><noscript>GraphiQL needs JavaScript. GraphQL itself does not: POST queries to this address.</noscript></div>
  </body>
</html>
`
