import { createHash } from 'node:crypto'
import { verifyScript, verifyStyle } from '../../../generated/verify-page.ts'
import { jsonAnswer } from '../../../http/answer.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { isRead } from '../../../http/incoming.ts'
import { methodNotAllowed } from '../../../http/methods.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { type Jwk, publicKeys } from '../../../modules/statements/keys.ts'
import type { Handler } from '../../handler.ts'
import { pageSecurity } from '../security-headers.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded and nothing is sent: the page has its script, its style and the keys in it. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  ...pageSecurity([
    `script-src ${hashOf(verifyScript)}`,
    `style-src ${hashOf(verifyStyle)}`,
    "connect-src 'none'",
    "img-src 'none'",
  ]),
}

/** JSON inside of a script element. */
const dataOf = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003c')

const pageOf = (keys: readonly Jwk[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Verify a statement</title>
<style>${verifyStyle}</style>
</head>
<body>
<main id="page"><noscript>This page verifies statements in your browser, so it needs JavaScript.</noscript></main>
<script type="application/json" id="keys">${dataOf({ keys })}</script>
<script>${verifyScript}</script>
</body>
</html>
`

/** `GET /verify`: verifies statements in the browser, also when the page was saved and there is no network. */
export const createVerifyPage =
  (db: AppDb): Handler =>
  async (incoming) => {
    if (!/^\/verify\/?$/.test(incoming.path)) return null
    if (!isRead(incoming)) return methodNotAllowed('GET, HEAD')
    return answerContent(incoming, contentOf(pageOf(await publicKeys(db)), headers))
  }

/** `GET /.well-known/jwks.json`: the public keys of all months that were ever signed here. */
export const createPublicKeys =
  (db: AppDb): Handler =>
  async (incoming) => {
    if (incoming.path !== '/.well-known/jwks.json') return null
    if (!isRead(incoming)) return methodNotAllowed('GET, HEAD')
    const open = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }
    return jsonAnswer({ keys: await publicKeys(db) }, 200, open)
  }
