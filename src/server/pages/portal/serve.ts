import type { PrismaClient } from '../../../generated/prisma/client.ts'
import { readBody } from '../../../http/body.ts'
import { isRead, methodNotAllowed } from '../../../http/methods.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { redeemTicket } from '../../../modules/access/sign-in-links/service.ts'
import { readFields } from '../../../rest/body.ts'
import { errorResponse } from '../../../rest/errors.ts'
import { toTributaryError } from '../../error-report.ts'
import type { Handler, IncomingRequest } from '../../handler.ts'
import { createTurns, inTurn, maxTurnsWithoutKey, type Turns } from '../../turns.ts'
import { createBundledPage } from '../bundled-page.ts'

/** A ticket has about 400 characters. */
const maxBodyBytes = 8 * 1024

type Options = { db: PrismaClient; now: () => Date; webhooks: { key: Buffer }; turns: Turns }

/**
 * `/portal`: the page on which affiliates see their own numbers, its files, and the endpoint that exchanges the ticket of
 * a sign-in link for an affiliate token. None of it needs a key.
 */
export function createPortal({ db, now, webhooks }: Omit<Options, 'turns'>): Handler {
  const turns = createTurns(maxTurnsWithoutKey)
  const page = createBundledPage({
    folder: 'portal',
    path: 'portal',
    title: 'Affiliate portal',
    meta: '<meta name="robots" content="noindex">',
    noscript: 'The portal needs JavaScript.',
    allowedSources: ["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  })
  return async (incoming) => {
    const { request, url } = incoming
    switch (url.pathname) {
      case '/portal/session':
        return request.method === 'POST'
          ? openSession(incoming, { db, now, webhooks, turns })
          : methodNotAllowed('POST')
      case '/portal':
        return isRead(request) ? page.answerPage(request) : methodNotAllowed('GET, HEAD')
      case '/portal/':
        // The target is relative, for proxies that add a path before it. Browsers keep the fragment, which has the ticket.
        return isRead(request)
          ? new Response(null, { status: 308, headers: { Location: '../portal' } })
          : methodNotAllowed('GET, HEAD')
      default:
        return isRead(request) ? page.answerFile(request, url.pathname) : null
    }
  }
}

async function openSession({ request, state: { log } }: IncomingRequest, options: Options): Promise<Response> {
  const response = await redeem().catch((error: unknown) => errorResponse(toTributaryError(error, log)))
  response.headers.set('Cache-Control', 'no-store')
  return response

  async function redeem(): Promise<Response> {
    const { turns, ...database } = options
    // Pages of other origins can send this type only after a preflight request, which is rejected.
    if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
      throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
    const { ticket } = readFields(await readBody(request, maxBodyBytes), 'application/json')
    const session = await inTurn(
      turns,
      () => redeemTicket({ ...database, log }, typeof ticket === 'string' ? ticket : ''),
      { signal: request.signal },
    )
    return Response.json({ token: session.token, expires_at: session.expiresAt }, { status: 201 })
  }
}
