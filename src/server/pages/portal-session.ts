import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { readFields } from '../../http/body.ts'
import { clientAddress } from '../../http/client-address.ts'
import type { Incoming } from '../../http/incoming.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import type { AppDb } from '../../kernel/db.ts'
import { forbidden, TributaryError } from '../../kernel/errors.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { redeemTicket } from '../../modules/access/sign-in-links/service.ts'
import { errorAnswer } from '../../rest/errors.ts'
import { toTributaryError } from '../error-report.ts'
import type { RequestState } from '../handler.ts'
import { inTurn, type Turns } from '../limits/turns.ts'
import { userAgentOf } from '../tracking/user-agent.ts'

/** A ticket has about 400 characters. */
const maxBodyBytes = 8 * 1024

type Options = {
  db: AppDb
  now: () => Date
  webhooks: { key: Buffer }
  turns: Turns
  trustedProxies: number
  publicUrl: PublicUrl
}

/** `POST /portal/session`: exchanges a ticket for a token. */
export async function openSession(
  incoming: Incoming,
  { log, ownSlug }: RequestState,
  options: Options,
): Promise<Answer> {
  const answer = await redeem().catch((error: unknown) => errorAnswer(toTributaryError(error, log)))
  answer.headers['Cache-Control'] = 'no-store'
  return answer

  async function redeem(): Promise<Answer> {
    const { turns, trustedProxies, publicUrl, ...database } = options
    // A page of another site could not read the answer, but would use the ticket up.
    if (incoming.header('origin') !== null && !isSameOrigin(incoming, publicUrl()))
      throw forbidden('Only the portal itself can open a session. Open the sign-in link in a tab.')
    // Pages of other origins can send this type only after a preflight request, which is rejected.
    if (!/^application\/json\b/i.test(incoming.header('content-type') ?? ''))
      throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
    const { ticket } = readFields(await incoming.body(maxBodyBytes), 'application/json')
    const browser = { address: clientAddress(incoming, trustedProxies), userAgent: userAgentOf(incoming) || null }
    const session = await inTurn(
      turns,
      () => redeemTicket({ ...database, log, ownSlug }, typeof ticket === 'string' ? ticket : '', browser),
      { signal: incoming.signal },
    )
    return jsonAnswer({ token: session.token, expires_at: session.expiresAt }, 201)
  }
}
