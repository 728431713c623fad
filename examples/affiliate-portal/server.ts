import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export type PortalOptions = {
  /** Where the service is, without a slash at the end. */
  service: string
  /** A key of the program with full access. It stays here; the page never sees it. */
  key: string
  /** Who is logged in. A portal of your own knows it from its session; this one has a single affiliate. */
  affiliateId: string
}

type Answer = { status?: number; type: string; body: string }

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Your referrals</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/portal.css">
    <script type="module" src="/portal.js"></script>
  </head>
  <body><main></main></body>
</html>
`

/** The page and the one thing that needs a backend: a token for whoever is logged in. */
export async function createPortal(options: PortalOptions) {
  const files = await bundle()
  const pages: Record<string, Answer> = {
    'GET /': { type: 'text/html; charset=utf-8', body: html },
    'GET /portal.js': { type: 'text/javascript; charset=utf-8', body: files.script },
    'GET /portal.css': { type: 'text/css; charset=utf-8', body: files.style },
  }
  return async ({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = `${method} ${new URL(url ?? '/', 'http://portal').pathname}`
    const answer = asked === 'POST /session' ? await openSession(options) : (pages[asked] ?? notFound)
    response.writeHead(answer.status ?? 200, {
      'Content-Type': answer.type,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ${options.service}`,
    })
    response.end(answer.body)
  }
}

const notFound: Answer = { status: 404, type: 'text/plain', body: 'Not found.' }

const mutation = `mutation ($input: CreateAffiliateTokenInput!) {
  createAffiliateToken(input: $input) { token expiresAt }
}`

/** Asks the service for a token of a quarter of an hour: the page reads the affiliate's data with it, and no other. */
async function openSession({ service, key, affiliateId }: PortalOptions): Promise<Answer> {
  const type = 'application/json'
  const response = await fetch(`${service}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': type },
    body: JSON.stringify({ query: mutation, variables: { input: { affiliateId, expiresInSeconds: 900 } } }),
  })
  const { data } = (await response.json()) as { data?: { createAffiliateToken: object } | null }
  if (!data) return { status: 403, type, body: '{"error":"You are not logged in."}' }
  return { type, body: JSON.stringify({ endpoint: `${service}/graphql`, ...data.createAffiliateToken }) }
}

async function bundle(): Promise<{ script: string; style: string }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('src/main.tsx', import.meta.url))],
    outdir: 'portal',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { script: textOf('.js'), style: textOf('.css') }
}
