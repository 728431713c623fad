import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Client, createClient, TributaryError } from '../../clients/typescript/src/index.ts'

export type Settings = {
  /** The URL of Tributary, for this machine and for the browser: `http://127.0.0.1:4000`. */
  service: string
  /** A secret API key of the program (`trib_sk_…`). It stays in the backend; the page never gets it. */
  key: string
  /** The affiliate whose data is shown, by id or e-mail. In your own backend: the user who is logged in. */
  affiliate: string
}

const files: Record<string, { name: string; type: string }> = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
}

/** Creates the request listener behind the page. It serves the page's files, and `POST /token` an affiliate token. */
export function createBackend(settings: Settings) {
  const { origin } = new URL(settings.service)
  // The page runs only its own script, and connects only to this backend and to the service.
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ${origin}; frame-ancestors 'none'; base-uri 'none'`

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] as string
    const file = Object.hasOwn(files, path) ? files[path] : undefined
    if (request.method === 'POST' && path === '/token') {
      const { status, body } = await issueToken(settings)
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
      response.end(text ?? 'The page is not built yet. Run: npm run example\n')
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n')
    }
  }
}

const tokenMutation = `mutation Token($affiliateId: ID!) {
  createAffiliateToken(input: { affiliateId: $affiliateId, expiresInSeconds: 900 }) { token }
}`

/** Responds 403 if the affiliate is disabled, and 502 if the service fails. */
async function issueToken({ service, key, affiliate }: Settings): Promise<{ status: number; body: object }> {
  const tributary = createClient({ url: service, key })
  try {
    const affiliateId = affiliate.includes('@') ? await findAffiliateId(tributary, affiliate) : affiliate
    const { createAffiliateToken } = await tributary.graphql<{ createAffiliateToken: { token: string } }>(
      tokenMutation,
      {
        affiliateId,
      },
    )
    return { status: 200, body: { token: createAffiliateToken.token, url: service } }
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'REFUSED') return { status: 403, body: { error: 'disabled' } }
    // Only the log has the reason. The page's user cannot do anything about it.
    console.error(`No token: ${(error as Error).message}`)
    return { status: 502, body: { error: 'unavailable' } }
  }
}

async function findAffiliateId(tributary: Client, email: string): Promise<string> {
  const { data } = await tributary.rest('GET /affiliates', { query: { email } })
  const [match] = data
  if (!match) throw new Error(`the program has no affiliate ${email}`)
  return match.id
}
