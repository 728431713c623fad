import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { findPackageRoot } from '../database/package-root.ts'
import { icon } from '../docs/page.ts'
import { TributaryError } from '../errors.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { type Assets, answerAsset, assetsOf } from '../http/assets.ts'
import { readBody } from '../http/body.ts'
import { answerContent, contentOf } from '../http/conditional.ts'
import { readFields } from '../rest/body.ts'
import { errorResponse } from '../rest/errors.ts'
import { redeemTicket } from '../sso/service.ts'
import { createTurns, type Turns, takeTurn, withoutKeyAtWork } from './turns.ts'
import { toTributaryError } from './unexpected.ts'

/** Nothing from another origin, nothing inline, no frame around it; forms are sent nowhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const security = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** A ticket has some 400 characters. */
const maxBodyBytes = 8 * 1024

type Options = { db: PrismaClient; now: () => Date; turns: Turns }
type Arrived = { request: Request; url: URL; log: Logger }

export type AnswerPortal = (arrived: Arrived) => Promise<Response | null>

/**
 * The page at /portal on which affiliates see their own numbers, its files, and the endpoint that turns the ticket of a
 * sign-in link into an affiliate token; null for everything else. None of it needs a key.
 */
export function createPortal(database: Omit<Options, 'turns'>): AnswerPortal {
  const options = { ...database, turns: createTurns(withoutKeyAtWork) }
  let assets: Promise<Assets> | undefined
  const theAssets = () => {
    assets ??= readAssets()
    return assets
  }
  return async (arrived) => {
    const { request, url } = arrived
    const { pathname } = url
    if (pathname !== '/portal' && !pathname.startsWith('/portal/')) return null
    if (pathname === '/portal/session')
      return request.method === 'POST' ? openSession(arrived, options) : notAllowed('POST')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (pathname === '/portal/')
      // Relative, so that it works below a path of a proxy too; the ticket goes along, as a fragment does.
      return isRead ? new Response(null, { status: 308, headers: { Location: '../portal' } }) : notAllowed('GET, HEAD')
    if (pathname === '/portal')
      return isRead ? answerPage(request, (await theAssets()).version) : notAllowed('GET, HEAD')
    return isRead ? answerAsset(request, pathname, await theAssets(), security) : null
  }
}

function notAllowed(allow: string): Response {
  const response = errorResponse(new TributaryError('METHOD_NOT_ALLOWED', 'Method not allowed.'))
  response.headers.set('Allow', allow)
  return response
}

async function openSession({ request, log }: Arrived, { db, now, turns }: Options): Promise<Response> {
  const response = await answerTicket().catch((error: unknown) => errorResponse(toTributaryError(error, log)))
  response.headers.set('Cache-Control', 'no-store')
  return response

  async function answerTicket(): Promise<Response> {
    // Pages of other origins can not send this type without asking first, and are not let.
    if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
      throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
    const { ticket } = readFields(await readBody(request, maxBodyBytes), 'application/json')
    const release = await takeTurn(turns, request.signal)
    try {
      const { token, expiresAt } = await redeemTicket({ db, now, log }, typeof ticket === 'string' ? ticket : '')
      return Response.json({ token, expires_at: expiresAt }, { status: 201 })
    } finally {
      release()
    }
  }
}

/** What scripts/build.mjs made of src/portal-page: read once, when somebody first asks for it. */
async function readAssets(): Promise<Assets> {
  const folder = join(findPackageRoot(), 'dist', 'portal')
  const contents = new Map<string, Uint8Array>([['icon.svg', Buffer.from(icon)]])
  for (const name of await readdir(folder)) contents.set(name, await readFile(join(folder, name)))
  return assetsOf(contents)
}

function answerPage(request: Request, version: string): Response {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache', ...security }
  return answerContent(request, contentOf(page(`portal/${version}`), headers))
}

/**
 * The frame of the page; src/portal-page fills it. Every address in it is relative, so that it works below a path of a
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
    <meta name="robots" content="noindex">
    <title>Affiliate portal</title>
    <link rel="icon" type="image/svg+xml" href="${assets}/icon.svg">
    <link rel="stylesheet" href="${assets}/page.css">
    <script type="module" src="${assets}/page.js"></script>
  </head>
  <body>
    <div id="page"><noscript>The portal needs JavaScript.</noscript></div>
  </body>
</html>
`
