import { createServer, type RequestListener } from 'node:http'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { createClient } from '../../clients/typescript/src/index.ts'

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <meta name="color-scheme" content="light dark"><title>Your sales</title><main></main><script type="module" src="page.js"></script></html>`
const entry = fileURLToPath(new URL('page.ts', import.meta.url))
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false })
const create = `mutation ($affiliateId: ID!) { createAffiliateToken(input: { affiliateId: $affiliateId }) { token } }`

/** The page and its backend. In your own backend, `affiliateId` is the user who is signed in. The key stays here. */
export const createPortal = (url: string, key: string, affiliateId: string): RequestListener => {
  const tributary = createClient({ url, key })
  return async (request, response) => {
    const send = (type: string, body: string, status = 200) =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body)
    if (request.url === '/') return send('text/html', html)
    if (request.url === '/page.js') return send('text/javascript', outputFiles[0]?.text ?? '')
    if (request.method !== 'POST' || request.url !== '/token') return send('text/plain', 'Not found', 404)
    const created = await tributary
      .graphql<{ createAffiliateToken: { token: string } }>(create, { affiliateId })
      .catch((error: Error) => console.error(error.message))
    if (!created) return send('application/json', '{}', 502)
    send('application/json', JSON.stringify({ url, token: created.createAffiliateToken.token }))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { TRIBUTARY_URL = 'http://127.0.0.1:4000', TRIBUTARY_KEY = '', AFFILIATE_ID = '', PORT = '4100' } = process.env
  createServer(createPortal(TRIBUTARY_URL, TRIBUTARY_KEY, AFFILIATE_ID)).listen(Number(PORT), '127.0.0.1')
}
