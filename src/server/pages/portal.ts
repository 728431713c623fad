import { type Answer, emptyAnswer, jsonAnswer } from '../../http/answer.ts'
import { type Incoming, isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { AppDb } from '../../kernel/db.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { redeemTicket } from '../../modules/access/sign-in-links/service.ts'
import { readFields } from '../../rest/body.ts'
import { errorAnswer } from '../../rest/errors.ts'
import { toTributaryError } from '../entrance/error-report.ts'
import type { Handler, RequestState } from '../entrance/handler.ts'
import { createTurns, inTurn, maxTurnsWithoutKey, type Turns } from '../limits/turns.ts'
import { createBundledPage } from './bundled-page.ts'

/** A ticket has about 400 characters. */
const maxBodyBytes = 8 * 1024

type Options = { db: AppDb; now: () => Date; webhooks: { key: Buffer }; turns: Turns }

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
  return async (incoming, state) => {
    switch (incoming.path) {
      case '/portal/session':
        return incoming.method === 'POST'
          ? openSession(incoming, state, { db, now, webhooks, turns })
          : methodNotAllowed('POST')
      case '/portal':
        return isRead(incoming) ? page.answerPage(incoming) : methodNotAllowed('GET, HEAD')
      case '/portal/':
        // The target is relative, for proxies that add a path before it. Browsers keep the fragment, which has the ticket.
        return isRead(incoming) ? emptyAnswer(308, { Location: '../portal' }) : methodNotAllowed('GET, HEAD')
      default:
        return isRead(incoming) ? page.answerFile(incoming) : null
    }
  }
}

async function openSession(incoming: Incoming, { log }: RequestState, options: Options): Promise<Answer> {
  const answer = await redeem().catch((error: unknown) => errorAnswer(toTributaryError(error, log)))
  answer.headers['Cache-Control'] = 'no-store'
  return answer

  async function redeem(): Promise<Answer> {
    const { turns, ...database } = options
    // Pages of other origins can send this type only after a preflight request, which is rejected.
    if (!/^application\/json\b/i.test(incoming.header('content-type') ?? ''))
      throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
    const { ticket } = readFields(await incoming.body(maxBodyBytes), 'application/json')
    const session = await inTurn(
      turns,
      () => redeemTicket({ ...database, log }, typeof ticket === 'string' ? ticket : ''),
      { signal: incoming.signal },
    )
    return jsonAnswer({ token: session.token, expires_at: session.expiresAt }, 201)
  }
}
