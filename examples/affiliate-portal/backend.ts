import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Settings = {
  /** Where Tributary is, as this machine and the browser reach it: `http://127.0.0.1:4000`. */
  service: string
  /** A secret key of the program (`trib_sk_…`). It stays here; the page never sees it. */
  key: string
  /** Whose numbers are shown, by id or e-mail. In your own backend: whoever is logged in. */
  affiliate: string
}

const files: Record<string, { name: string; type: string }> = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
}

/** What stands behind the page: it answers the page's files, and a token of the affiliate to `POST /token`. */
export function createBackend(settings: Settings) {
  const endpoint = new URL('/graphql', settings.service)
  // The page runs nothing but its own script, and asks nobody but this backend and the service.
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ${endpoint.origin}; frame-ancestors 'none'; base-uri 'none'`

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] as string
    const file = Object.hasOwn(files, path) ? files[path] : undefined
    if (request.method === 'POST' && path === '/token') {
      const { status, body } = await issueToken(settings, endpoint)
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      response.end(JSON.stringify(body))
    } else if (file && (request.method === 'GET' || request.method === 'HEAD')) {
      const text = await readFile(new URL(`dist/${file.name}`, import.meta.url)).catch(() => null)
      response.writeHead(text ? 200 : 503, {
        'Content-Type': text ? file.type : 'text/plain',
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-cache',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      })
      response.end(text ?? 'The page is not built yet: npm run example\n')
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n')
    }
  }
}

type Errors = { message: string; extensions?: { code?: string } }[]

/** 403 where the affiliate has no access (any more), 502 where the service cannot be asked. */
async function issueToken({ key, affiliate }: Settings, endpoint: URL): Promise<{ status: number; body: object }> {
  try {
    const affiliateId = affiliate.includes('@') ? await findAffiliate(affiliate) : affiliate
    const { createAffiliateToken } = await ask<{ createAffiliateToken: { token: string } }>(
      `mutation Token($affiliateId: ID!) {
        createAffiliateToken(input: { affiliateId: $affiliateId, expiresInSeconds: 900 }) { token }
      }`,
      { affiliateId },
    )
    return { status: 200, body: { token: createAffiliateToken.token, endpoint: endpoint.href } }
  } catch (error) {
    const isRefused = (error as { code?: string }).code === 'REFUSED'
    // The reason is for whoever runs this; the page is told only what its reader can do something about.
    if (!isRefused) console.error(`No token: ${(error as Error).message}`)
    return isRefused ? { status: 403, body: { error: 'disabled' } } : { status: 502, body: { error: 'unavailable' } }
  }

  async function findAffiliate(email: string): Promise<string> {
    const { affiliates } = await ask<{ affiliates: { nodes: { id: string }[] } }>(
      'query Find($email: String!) { affiliates(first: 1, where: { email: { equals: $email } }) { nodes { id } } }',
      { email },
    )
    const [found] = affiliates.nodes
    if (!found) throw new Error(`the program has no affiliate ${email}`)
    return found.id
  }

  async function ask<Data>(query: string, variables: object): Promise<Data> {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(10_000),
    })
    const { data, errors } = (await response.json()) as { data?: Data; errors?: Errors }
    const [first] = errors ?? []
    if (first) throw Object.assign(new Error(first.message), { code: first.extensions?.code })
    return data as Data
  }
}
