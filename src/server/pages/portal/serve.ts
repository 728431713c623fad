import type { Logger } from 'pino'
import type { PrismaClient } from '../../../generated/prisma/client.ts'
import { readBody } from '../../../http/body.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { redeemTicket } from '../../../modules/access/sign-in-links/service.ts'
import { readFields } from '../../../rest/body.ts'
import { errorResponse } from '../../../rest/errors.ts'
import { createTurns, type Turns, takeTurn, withoutKeyAtWork } from '../../turns.ts'
import { toTributaryError } from '../../unexpected.ts'
import { createBundledPage } from '../bundled-page.ts'

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
  const page = createBundledPage({
    folder: 'portal',
    path: 'portal',
    title: 'Affiliate portal',
    meta: '<meta name="robots" content="noindex">',
    noscript: 'The portal needs JavaScript.',
    // Nothing from another origin, nothing inline, no frame around it; forms are sent nowhere.
    contentSecurityPolicy: [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ],
  })
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
    if (pathname === '/portal') return isRead ? page.answerPage(request) : notAllowed('GET, HEAD')
    return isRead ? page.answerFile(request, pathname) : null
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
